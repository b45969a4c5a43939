// The rows at one moment. Indices by column find the rows that a predicate matches
// without a look at the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/sorted_rows.h"
#include "engine/rows/rows.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

/// A row, alive or absent. No read distinguishes a row before its insert from a deleted row, so
/// these are one state.
struct RowState {
  bool is_alive = false;
  rows::Record record = {};
  ValueId version = ValueId::nil();  ///< nil for an absent row
  friend bool operator==(const RowState&, const RowState&) = default;
};

/// The contents of rows that are alive.
using RowContents = std::vector<std::pair<KeyId, RowState>>;

/// Initial contents as evidence.
[[nodiscard]] std::vector<PartAtFirst> parts_at_first(const RowContents& contents);

class TableState {
 public:
  /// No row is alive. Refers to the history.
  explicit TableState(const History& history);

  [[nodiscard]] const RowState& row(KeyId row) const { return states_[row.index()]; }

  /// Prefetches the row into the cache. Inlined by force, since GCC 12 drops calls of a function
  /// that only prefetches.
  [[gnu::always_inline]] void prefetch(KeyId row) const {
    __builtin_prefetch(&states_[row.index()]);
  }

  /// A number for the current content of the row. Each set() gives a new one; restore() brings back
  /// the number with the content.
  [[nodiscard]] std::uint64_t stamp(KeyId row) const { return stamps_[row.index()]; }

  /// Greater than all stamps so far.
  [[nodiscard]] std::uint64_t next_stamp() const { return next_stamp_; }

  /// Replaces the content of a row, and returns the old one. O(columns log rows).
  RowState set(KeyId row, RowState state) { return restore(row, std::move(state), next_stamp_++); }

  /// Undoes set().
  RowState restore(KeyId row, RowState state, std::uint64_t stamp);

  /// Whether the row in this state matches.
  [[nodiscard]] bool is_match(const rows::Predicate& predicate, KeyId row,
                              const RowState& state) const {
    return state.is_alive && predicate.matches(history_.values(), rows_.key(row), state.record);
  }

  /// Appends the rows that match, in no particular order. O(log rows + rows that match
  /// the indexed part of the predicate); O(rows) for a predicate that no operation of the history
  /// has.
  void find(const rows::Predicate& predicate, std::vector<KeyId>& found) const;

  /// The number of rows that match. A range takes O(log rows + matches / 128).
  [[nodiscard]] std::size_t count(const rows::Predicate& predicate) const;

 private:
  /// The rows that are alive, by their value in one column.
  struct ColumnIndex {
    bool is_kept = false;  // a predicate of the history uses it
    SortedRows by_number = {};
    SortedRows by_other = {};  // by the value's bits
  };

  void keep_indices();
  void enter(ColumnIndex& index, ValueId value, KeyId row, bool is_in) const;
  void enter(KeyId row, bool is_in);
  [[nodiscard]] const rows::Predicate* served_by_index(const rows::Predicate& predicate) const;
  template <class Take>
  void each_candidate(const rows::Predicate& predicate, Take take) const;
  template <class Take>
  void each_match(const rows::Predicate& predicate, Take take) const;

  const History& history_;
  const rows::Rows& rows_;
  std::vector<RowState> states_;       // by KeyId
  std::vector<std::uint64_t> stamps_;  // by KeyId
  std::uint64_t next_stamp_ = 1;
  bool keeps_keys_ = false;  // the indices by key
  bool keeps_all_ = false;   // the indices of all rows
  std::vector<ColumnIndex> columns_;
  SortedRows by_key_;  // the rows that are alive whose key is an integer
  SortedRows all_;     // the rows that are alive, by KeyId
};

}  // namespace elapid::replay
