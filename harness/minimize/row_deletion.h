// Deletes from a draft of rows what depended on deleted writes.
//
// A row that no transaction makes any more is in no result, and no operation changes or ends it. No
// operation shows contents that no transaction writes any more. A result that only counts rows, or
// has contents without keys, becomes unknown once any write is deleted.
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

/// What operations on rows write, whatever became of their transactions.
class RowWrites {
 public:
  RowWrites() = default;
  explicit RowWrites(const Draft& draft);
  explicit RowWrites(const History& history);

  /// Whether an operation makes the row.
  [[nodiscard]] bool makes(KeyId row) const { return has(row, kMaking, 0); }

  /// Whether an operation writes that to the row, or by a predicate.
  [[nodiscard]] bool writes(KeyId row, const rows::Field& field) const {
    return has(row, field.column.value, field.value.bits()) ||
           has(KeyId::none(), field.column.value, field.value.bits());
  }

  /// Whether an operation makes versions of this name, of the row or by a predicate.
  [[nodiscard]] bool names(KeyId row, ValueId version) const {
    return has(row, kNaming, version.bits()) || has(KeyId::none(), kNaming, version.bits());
  }

  /// Operations that write.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  // In the place of a column.
  static constexpr std::uint32_t kMaking = 0xffff'fff0;
  static constexpr std::uint32_t kNaming = 0xffff'fff1;

  void add(const DraftRowOp& op);

  [[nodiscard]] bool has(KeyId row, std::uint32_t column, std::uint32_t value) const {
    return written_.contains({row.value, column, value});
  }

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> written_ = {};
  std::size_t count_ = 0;
};

/// Forgets what was written `before` and is no more: an operation that saw it goes (`kDropReads`),
/// or the row out of its result (`kReadInitial`), or, as far as the row is still made, what was
/// shown of it alone (`kDropUncertain`).
void forget_deleted_rows(Draft& draft, const RowWrites& before, Orphans orphans);

/// Rows that operations are on or show, and columns that have names, that they write or show, and
/// that no predicate speaks of: in the order in which they come.
[[nodiscard]] std::vector<KeyId> rows_of(const Draft& draft);
[[nodiscard]] std::vector<rows::ColumnId> idle_columns_of(const Draft& draft);

/// The draft without these rows: operations on them, and their places in results.
[[nodiscard]] Draft without_rows(const Draft& draft, const std::vector<KeyId>& rows);
[[nodiscard]] Draft without_columns(const Draft& draft, const std::vector<rows::ColumnId>& columns);

}  // namespace elapid
