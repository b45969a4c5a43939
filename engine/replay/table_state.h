// The rows of all tables at one moment, with an index by column, so that what a predicate matches
// is found without looking at what it does not.
#ifndef ELAPID_ENGINE_REPLAY_TABLE_STATE_H_
#define ELAPID_ENGINE_REPLAY_TABLE_STATE_H_

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::replay {

/// A row that is alive, or not: what nobody can tell apart, unborn and dead, is one.
struct RowState {
  bool is_alive = false;
  rows::Record record = {};
  ValueId version = ValueId::nil();  ///< of a row that is not alive, nil
  friend bool operator==(const RowState&, const RowState&) = default;
};

class TableState {
 public:
  /// No row is alive. Refers to the history.
  explicit TableState(const History& history);

  [[nodiscard]] const RowState& row(KeyId row) const { return states_[row.index()]; }

  /// A number that no other content of any row had before, or will have: it comes back only with
  /// the content (restore()).
  [[nodiscard]] std::uint64_t stamp(KeyId row) const { return stamps_[row.index()]; }

  /// Replaces a row's content. O(columns log rows).
  void set(KeyId row, RowState state) { restore(row, std::move(state), next_stamp_++); }

  /// Undoes set().
  void restore(KeyId row, RowState state, std::uint64_t stamp);

  /// Appends the rows of the table that match, in no particular order. O(log rows + rows that match
  /// the part of the predicate that an index serves).
  void find(rows::TableId table, const rows::Predicate& predicate, std::vector<KeyId>& found) const;

 private:
  using Keys = std::set<KeyId>;

  /// Rows by what they hold in one column.
  struct ColumnIndex {
    std::map<std::int64_t, Keys> by_number = {};
    std::map<ValueId, Keys> by_other = {};
  };

  void enter(KeyId row, bool is_in);
  [[nodiscard]] const rows::Predicate* served_by_index(const rows::Predicate& predicate) const;
  template <class Take>
  void each_candidate(rows::TableId table, const rows::Predicate& predicate, Take take) const;

  const History& history_;
  const rows::Rows& rows_;
  std::vector<RowState> states_;       // by KeyId
  std::vector<std::uint64_t> stamps_;  // by KeyId
  std::uint64_t next_stamp_ = 1;
  std::vector<ColumnIndex> columns_;
  std::vector<std::map<std::int64_t, Keys>> keys_;  // by table: rows alive, by their keys
  std::vector<Keys> alive_;                         // by table
};

}  // namespace elapid::replay

#endif  // ELAPID_ENGINE_REPLAY_TABLE_STATE_H_
