// The rows that exist at one point of an order of transactions, for the check of that order.
//
// Rows that a predicate matches are counted, not listed, if a count answers: if all shown rows
// match, and no more rows match than are shown, these are the matches. Shares no code with the
// search (engine/replay), which finds rows through its own indices.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// A row that exists.
struct LiveRow {
  rows::Record record = {};
  ValueId version = ValueId::nil();
};

class LiveRows {
 public:
  /// No row exists. `lists_all`: whether rows are listed for operations whose results could be
  /// counted. `beginning`: contents that rows will have, besides those that operations make.
  LiveRows(const History& history, bool lists_all, std::span<const PartAtFirst> beginning);

  /// The row; null if the row does not exist.
  [[nodiscard]] const LiveRow* find(KeyId row) const {
    const std::optional<LiveRow>& found = rows_[row.index()];
    return found ? &*found : nullptr;
  }

  /// Prefetches the row, for find() soon after. Forced inline, since GCC 12 drops calls of
  /// functions that only prefetch.
  [[gnu::always_inline]] void prefetch(KeyId row) const { __builtin_prefetch(&rows_[row.index()]); }

  /// Sets the row's contents; nothing: the row does not exist. O(columns log rows).
  void set(KeyId row, std::optional<LiveRow> after);

  /// Whether the operation's predicate matches a row with this content.
  [[nodiscard]] bool is_match(const rows::RowOp& op, KeyId row, const LiveRow& content) const {
    return rows_of_.predicate(op).matches(history_.values(), rows_of_.key(row), content.record);
  }

  /// The number of rows that the predicate matches, if it is one comparison of a column or the key
  /// with a constant or a range. O(log rows). Otherwise nothing.
  [[nodiscard]] std::optional<std::size_t> count(const rows::RowOp& op) const;

  /// Calls `look(row, content)` once for each row that may match. If the predicate, or a part of
  /// its conjunction, is such a comparison: for rows in its range only. Otherwise for all rows.
  template <class Look>
  void each_near(const rows::RowOp& op, Look look) const {
    const auto range = range_of(rows_of_.predicate(op));
    const auto column = range ? columns_.find(range->column) : columns_.end();
    if (column == columns_.end() || !column->second.is_listed) {
      for (const KeyId row : live_) {
        look(row, *rows_[row.index()]);
      }
      return;
    }
    const std::set<Place>& listed = column->second.listed;
    for (auto at = listed.lower_bound({range->low, KeyId{0}});
         at != listed.end() && at->first <= range->high; ++at) {
      look(at->second, *rows_[at->second.index()]);
    }
  }

 private:
  /// The value of a column, in an order in which integers are adjacent.
  struct Mark {
    bool is_other = false;  // no integer; then `number` is the bits of the value
    std::int64_t number = 0;
    friend auto operator<=>(const Mark&, const Mark&) = default;
  };

  using Place = std::pair<Mark, KeyId>;

  /// A comparison of a column; for the key, `column` is none().
  struct MarkRange {
    rows::ColumnId column;
    Mark low;
    Mark high;
  };

  /// The number of rows for each value, as sums of runs of marks (Fenwick, A New Data Structure for
  /// Cumulative Frequency Tables, 1994).
  struct Tally {
    // All values that the column ever has, ascending: integers, then the bits of other values.
    std::vector<std::int64_t> integers = {};
    std::vector<std::int64_t> others = {};
    std::vector<std::uint32_t> sums = {};

    void note(Mark mark) { (mark.is_other ? others : integers).push_back(mark.number); }

    void begin();
    void change(Mark mark, bool is_more);
    [[nodiscard]] std::size_t place(Mark mark) const;
    [[nodiscard]] std::size_t place_after(Mark mark) const;
    [[nodiscard]] std::size_t before(std::size_t place) const;
    [[nodiscard]] std::size_t within(Mark low, Mark high) const;
  };

  struct Column {
    bool is_counted = false;
    bool is_listed = false;
    Tally tally = {};
    std::set<Place> listed = {};
  };

  void choose_columns(bool lists_all);
  void gather_marks(std::span<const PartAtFirst> beginning);
  [[nodiscard]] static bool is_countable(const rows::RowOp& op);
  [[nodiscard]] Mark mark(ValueId value) const;
  [[nodiscard]] std::optional<MarkRange> comparison(const rows::Predicate& predicate) const;
  [[nodiscard]] std::optional<MarkRange> range_of(const rows::Predicate& predicate) const;
  void enter(KeyId row, rows::ColumnId column, ValueId value, bool is_in);

  const History& history_;
  const rows::Rows& rows_of_;
  std::vector<std::optional<LiveRow>> rows_;  // by KeyId
  std::set<KeyId> live_;
  std::map<rows::ColumnId, Column> columns_;  // those that are counted or listed
};

}  // namespace elapid::certify
