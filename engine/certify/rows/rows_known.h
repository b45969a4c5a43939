// The knowledge of a proof about a row: some of its parts are known, others are not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Whether the level is defined for transactions on rows: each must read one state of all rows.
[[nodiscard]] constexpr bool is_level_of_rows(OrderLevel level) {
  return level.visibility == Visibility::kSerial || level.visibility == Visibility::kSnapshot;
}

inline constexpr const char* kNoLevelOfRows = "no order of transactions on rows defines the level";

/// A part without a value is unknown.
struct KnownRow {
  std::optional<bool> exists = {};
  std::optional<ValueId> version = {};
  /// The possible values: none() if a column is missing. Empty if it may hold any value.
  std::map<rows::ColumnId, std::vector<ValueId>> columns = {};
  bool has_all_columns = false;  ///< columns that are not named are missing

  [[nodiscard]] std::vector<ValueId> column(rows::ColumnId column) const {
    const auto found = columns.find(column);
    return found != columns.end() ? found->second
           : has_all_columns      ? std::vector{ValueId::none()}
                                  : std::vector<ValueId>();
  }
};

/// A row that no transaction has made.
[[nodiscard]] KnownRow unborn_row();

/// Copies one part from `from` to `row`.
void put_part(KnownRow& row, const KnownRow& from, std::uint32_t part);

/// Whether the row certainly exists.
[[nodiscard]] bool must_exist(const KnownRow& row);

enum class Certain : std::uint8_t { kNo, kMaybe, kYes };

/// Whether the operation's predicate matches the row. O(size of the predicate).
[[nodiscard]] Certain matches(const History& history, const rows::RowOp& op, KeyId key,
                              const KnownRow& row);

}  // namespace elapid::certify
