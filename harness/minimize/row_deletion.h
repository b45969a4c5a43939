// Deletes from a draft of rows the effects of deleted writes.
//
// A row that no transaction makes any more disappears from results, and so do operations that
// change or end it. No operation shows contents that no transaction writes any more. A result with
// only a count, or with contents without keys, becomes unknown when any write is deleted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/ir/history.h"
#include "harness/minimize/draft.h"

namespace elapid {

enum class Orphans : std::uint8_t;

/// The writes of operations on rows, in transactions of any outcome.
class RowWrites {
 public:
  RowWrites() = default;
  explicit RowWrites(const Draft& draft);
  explicit RowWrites(const History& history);

  /// Whether an operation makes the row.
  [[nodiscard]] bool makes(KeyId row) const { return has(row, kMaking, 0); }

  /// Whether an operation writes this to the row, or by a predicate.
  [[nodiscard]] bool writes(KeyId row, const rows::Field& field) const {
    return has(row, field.column.value, field.value.bits()) ||
           has(KeyId::none(), field.column.value, field.value.bits());
  }

  /// Whether an operation makes a version with this name, of the row or by a predicate.
  [[nodiscard]] bool names(KeyId row, ValueId version) const {
    return has(row, kNaming, version.bits()) || has(KeyId::none(), kNaming, version.bits());
  }

  /// The number of operations that write.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  // Used in place of a column.
  static constexpr std::uint32_t kMaking = 0xffff'fff0;
  static constexpr std::uint32_t kNaming = 0xffff'fff1;

  void add(const DraftRowOp& op);

  [[nodiscard]] bool has(KeyId row, std::uint32_t column, std::uint32_t value) const {
    return written_.contains({row.value, column, value});
  }

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> written_ = {};
  std::size_t count_ = 0;
};

/// Deletes traces of writes in `before` that do not exist any more: the operation that saw one
/// (`kDropReads`), the row in its result (`kReadInitial`), or, if the row is still made, only the
/// contents shown (`kDropUncertain`).
void forget_deleted_rows(Draft& draft, const RowWrites& before, Orphans orphans);

/// The rows that operations are on or show; and the named columns that they write or show and that
/// no predicate uses. In order of appearance.
[[nodiscard]] std::vector<KeyId> rows_of(const Draft& draft);
[[nodiscard]] std::vector<rows::ColumnId> idle_columns_of(const Draft& draft);

/// The draft without these rows: without operations on them, and without them in results.
[[nodiscard]] Draft without_rows(const Draft& draft, const std::vector<KeyId>& rows);
[[nodiscard]] Draft without_columns(const Draft& draft, const std::vector<rows::ColumnId>& columns);

}  // namespace elapid
