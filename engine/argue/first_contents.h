// The contents that rows of an open universe may have had before the first transaction.
//
// Two values of a column differ only if the history tells them apart: by a comparison of one of its
// predicates, or by a value that it shows. Of all other integers with the same remainders between
// two such values one stands for all. One value that is no integer stands for all of its kind.
//
// Example. Of `:age` the only predicate asks for 10 <= :age <= 20, and 15 was shown. A row may have
// held nothing, 15, another value from 10 to 20, an integer beyond, or no integer: five values.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// What rows of an open universe held if transactions ran in the order in which they completed, as
/// far as that tells; by KeyId. Linear; nothing of a closed universe.
[[nodiscard]] std::vector<replay::RowState> guessed_beginning(const History& history);

/// Changes what one column of a row holds; none(): it holds nothing.
void set_column(replay::RowState& state, rows::ColumnId column, ValueId value);

/// Borrows the history.
class FirstContents {
 public:
  /// O(operations + values told apart x what predicates compare them with), the latter within
  /// limits. Nothing of a closed universe.
  explicit FirstContents(const History& history);

  [[nodiscard]] bool is_open() const { return !rows_.is_closed(); }

  /// Whether there is no row and no value besides: else values or remainders are too many, or
  /// numbers too large, to name all values, or counts are to name all rows.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  /// The values told apart; the first is none().
  [[nodiscard]] std::span<const ValueId> values(rows::ColumnId column) const {
    return values_[column.index()];
  }

  /// guessed_beginning().
  [[nodiscard]] const std::vector<replay::RowState>& guess() const { return guess_; }

 private:
  const rows::Rows& rows_;
  bool is_whole_ = true;
  std::vector<std::vector<ValueId>> values_;  // by column
  std::vector<replay::RowState> guess_;       // by KeyId
};

}  // namespace elapid::argue
