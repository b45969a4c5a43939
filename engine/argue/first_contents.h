// The contents that rows of an open universe may have had before the first transaction.
//
// Two values of a column differ only if the history tells them apart: by a comparison in one of its
// predicates, or because it shows one of them. Between two such values, integers with the same
// remainders are alike, so one stands for all. All values that are no integers have one stand-in.
//
// Example: the only predicate on `:age` asks for 10 <= :age <= 20, and 15 was shown. A row may have
// held nothing, 15, another value from 10 to 20, an integer beyond, or no integer: five values.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// The contents of rows of an open universe, by KeyId, if transactions ran in order of completion,
/// as far as this order shows them. Linear. Empty for a closed universe.
[[nodiscard]] std::vector<replay::RowState> guessed_beginning(const History& history);

/// Sets the value of one column of a row; none(): the column is missing.
void set_column(replay::RowState& state, rows::ColumnId column, ValueId value);

/// Borrows the history.
class FirstContents {
 public:
  /// O(operations + distinguished values x compared values); the product is limited. Empty for a
  /// closed universe.
  explicit FirstContents(const History& history);

  [[nodiscard]] bool is_open() const { return !rows_.is_closed(); }

  /// Whether these are all possible contents. False if there are too many values or remainders, if
  /// numbers are too large, or if counts would need all rows.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  /// The distinguished values; the first is none().
  [[nodiscard]] std::span<const ValueId> values(rows::ColumnId column) const {
    return values_[column.index()];
  }

  /// The result of guessed_beginning().
  [[nodiscard]] const std::vector<replay::RowState>& guess() const { return guess_; }

 private:
  const rows::Rows& rows_;
  bool is_whole_ = true;
  std::vector<std::vector<ValueId>> values_;  // by column
  std::vector<replay::RowState> guess_;       // by KeyId
};

}  // namespace elapid::argue
