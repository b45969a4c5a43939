// The rows of all tables at one moment, with an index by column: the rows that a predicate matches
// are found without a look at the others.
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

/// A row that is alive, or not: no read tells unborn from dead, so they are one state.
struct RowState {
  bool is_alive = false;
  rows::Record record = {};
  ValueId version = ValueId::nil();  ///< of a row that is not alive, nil
  friend bool operator==(const RowState&, const RowState&) = default;
};

/// What rows hold that are alive.
using RowContents = std::vector<std::pair<KeyId, RowState>>;

/// The same as evidence of a beginning.
[[nodiscard]] std::vector<PartAtFirst> parts_at_first(const RowContents& contents);

class TableState {
 public:
  /// No row is alive. Refers to the history.
  explicit TableState(const History& history);

  [[nodiscard]] const RowState& row(KeyId row) const { return states_[row.index()]; }

  /// Brings the row nearer, for a look at it soon after. GCC 12 leaves out calls of a function that
  /// only prefetches, hence inlined by force.
  [[gnu::always_inline]] void prefetch(KeyId row) const {
    __builtin_prefetch(&states_[row.index()]);
  }

  /// A number that no other content of any row had before, or will have: it comes back only with
  /// the content (restore()).
  [[nodiscard]] std::uint64_t stamp(KeyId row) const { return stamps_[row.index()]; }

  /// Greater than all that there are.
  [[nodiscard]] std::uint64_t next_stamp() const { return next_stamp_; }

  /// Replaces a row's content, and returns what it was. O(columns log rows).
  RowState set(KeyId row, RowState state) { return restore(row, std::move(state), next_stamp_++); }

  /// Undoes set().
  RowState restore(KeyId row, RowState state, std::uint64_t stamp);

  /// Whether a row of the table in this state matches.
  [[nodiscard]] bool is_match(rows::TableId table, const rows::Predicate& predicate, KeyId row,
                              const RowState& state) const {
    return state.is_alive && rows_.table(row) == table &&
           predicate.matches(history_.values(), rows_.key(row), state.record);
  }

  /// Appends the rows of the table that match, in no particular order. O(log rows + rows that match
  /// the part of the predicate that an index serves); of predicates that no operation of the
  /// history has, O(rows).
  void find(rows::TableId table, const rows::Predicate& predicate, std::vector<KeyId>& found) const;

  /// How many match. A range of one table takes O(log rows + matches / 128).
  [[nodiscard]] std::size_t count(rows::TableId table, const rows::Predicate& predicate) const;

 private:
  /// Rows that are alive, by what they hold in one column.
  struct ColumnIndex {
    bool is_kept = false;  // some predicate of the history asks for it
    SortedRows by_number = {};
    SortedRows by_other = {};  // by the value's bits
  };

  /// Rows that are alive, of one table.
  struct TableIndex {
    SortedRows by_key = {};  // integers
    SortedRows all = {};     // by KeyId
  };

  void keep_indices();
  void enter(ColumnIndex& index, ValueId value, KeyId row, bool is_in) const;
  void enter(KeyId row, bool is_in);
  [[nodiscard]] const rows::Predicate* served_by_index(const rows::Predicate& predicate) const;
  template <class Take>
  void each_candidate(rows::TableId table, const rows::Predicate& predicate, Take take) const;
  template <class Take>
  void each_match(rows::TableId table, const rows::Predicate& predicate, Take take) const;

  const History& history_;
  const rows::Rows& rows_;
  std::vector<RowState> states_;       // by KeyId
  std::vector<std::uint64_t> stamps_;  // by KeyId
  std::uint64_t next_stamp_ = 1;
  bool keeps_keys_ = false;  // the indices by key, and those of all rows
  bool keeps_all_ = false;
  std::vector<ColumnIndex> columns_;
  std::vector<TableIndex> tables_;
};

}  // namespace elapid::replay
