// Operations on rows in the recorder format: the inverse of row_ops.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "parsers/convert/plan.h"
#include "parsers/elle_json/json_values.h"

namespace elapid {

/// Writes the operations of one history of rows.
class RowOpJson {
 public:
  /// Borrows the history.
  explicit RowOpJson(const History& history);

  /// The text of an operation of kind OpKind::kRow; lives until the next call.
  [[nodiscard]] std::string_view text(const PlannedOp& op);

  /// Two keys, columns, values or versions with one text.
  [[nodiscard]] std::optional<std::pair<ValueId, ValueId>> merged() const;

 private:
  void append(const rows::RowOp& op, bool is_asked);
  void append_predicate(const rows::Predicate& is);
  void open_predicate(std::string_view name, rows::ColumnId column);
  void append_fields(std::span<const rows::Field> fields);
  void append_read(const rows::RowOp& op, bool is_asked);
  void append_result(const rows::RowOp& op);
  void append_shown(const rows::RowOp& op);

  const rows::Rows& rows_;
  JsonValues keys_;
  JsonValues values_;
  JsonValues versions_;
  std::vector<std::string> columns_;                           // by ColumnId, with quotes
  std::optional<std::pair<ValueId, ValueId>> merged_columns_;  // two of one name
  std::string text_;
};

}  // namespace elapid
