// What rows of an open universe may have held at the beginning, as proofs speak of it.
//
// Two values of a column are of one kind if no predicate of the history and nothing that it shows
// of the column tells them apart. kAtFirst of a value means any of its kind.
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

  /// What is certain of any row at the beginning.
  [[nodiscard]] KnownRow any_row() const;

  /// What the row was at the beginning, if no choice of the step's clause holds.
  [[nodiscard]] KnownRow assumed_row(const RowsProofStep& step, KeyId row) const;

  /// Whether that follows from what kAtFirst means: what is not there holds nothing, and who holds
  /// one of some values holds one of more.
  [[nodiscard]] bool is_meant(const RowsProofStep& step) const;

  /// Whether the clause names a value of each kind that some column of a row may have held.
  [[nodiscard]] bool names_all_kinds(const RowsProofStep& step) const;

 private:
  /// What tells values of a column apart.
  struct Column {
    std::vector<const rows::Predicate*> ranges = {};
    std::vector<const rows::Predicate*> remainders = {};
    std::set<ValueId> mentioned = {};
    std::set<std::int64_t> numbers = {};  ///< mentioned ones
  };

  /// What ranges and remainders say of a number; nothing of no number.
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
