// The possible contents of rows of an open universe at the beginning, for proofs.
//
// Two values of a column are of one kind if no predicate of the history, and no contents that the
// history shows of the column, tell them apart. kAtFirst of a value means any value of its kind.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Borrows the history.
class RowsBeginning {
 public:
  explicit RowsBeginning(const History& history);

  [[nodiscard]] bool is_open() const { return !rows_.is_closed(); }

  /// The facts about any row at the beginning.
  [[nodiscard]] KnownRow any_row() const;

  /// The row at the beginning, if no choice of the step's clause holds.
  [[nodiscard]] KnownRow assumed_row(const RowsProofStep& step, KeyId row) const;

  /// Whether the clause follows from the meaning of kAtFirst: a row that does not exist has no
  /// values, and a column that holds one of some values holds one of a larger set.
  [[nodiscard]] bool is_meant(const RowsProofStep& step) const;

  /// Whether the clause names a value of each kind that a column of a row may have held.
  [[nodiscard]] bool names_all_kinds(const RowsProofStep& step) const;

 private:
  /// The facts that tell values of a column apart.
  struct Column {
    std::vector<const rows::Predicate*> ranges = {};
    std::vector<const rows::Predicate*> remainders = {};
    std::set<ValueId> mentioned = {};
    std::set<std::int64_t> numbers = {};  ///< the numbers among the mentioned values
  };

  /// The truth of ranges and remainders for a number; nothing for other values.
  using Kind = std::optional<std::vector<bool>>;

  void note(const rows::Predicate& predicate);
  [[nodiscard]] static Kind kind_of(const Column& column, std::optional<std::int64_t> number);
  [[nodiscard]] bool is_one_kind(const Column& column, ValueId a, ValueId b) const;
  [[nodiscard]] bool covers(const Column& column, std::span<const ValueId> values) const;
  [[nodiscard]] static bool covers_numbers(const Column& column, const std::set<Kind>& kinds);

  const History& history_;
  const rows::Rows& rows_;
  std::vector<Column> columns_;
};

}  // namespace elapid::certify
