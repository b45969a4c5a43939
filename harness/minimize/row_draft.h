// Operations on rows in a draft: copies that can be edited, and their conversion by a RowsBuilder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/rows/rows_builder.h"

namespace elapid {

/// A row in a result; see rows::ShownRow.
struct DraftShownRow {
  KeyId row = KeyId::none();
  ValueId version = ValueId::none();
  std::vector<rows::Field> fields = {};
  friend bool operator==(const DraftShownRow&, const DraftShownRow&) = default;
};

/// See rows::RowOp. Rows, columns and values belong to the original history.
struct DraftRowOp {
  rows::RowOpKind kind = rows::RowOpKind::kRead;
  rows::Known known = rows::Known::kNothing;
  KeyId row = KeyId::none();
  rows::Predicate predicate = {};
  ValueId version = ValueId::none();
  std::vector<rows::Field> written = {};
  std::vector<DraftShownRow> shown = {};
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const DraftRowOp&, const DraftRowOp&) = default;

  [[nodiscard]] bool has_predicate() const { return kind >= rows::RowOpKind::kPredicateRead; }

  [[nodiscard]] bool is_read() const {
    return kind == rows::RowOpKind::kRead || kind == rows::RowOpKind::kPredicateRead;
  }

  /// Whether the row must not exist before, or need not exist.
  [[nodiscard]] bool makes_row() const {
    return kind == rows::RowOpKind::kInsert || kind == rows::RowOpKind::kPut;
  }

  /// Whether the result has rows, not only their number or only their contents.
  [[nodiscard]] bool names_rows() const { return rows::names_rows(known); }
};

[[nodiscard]] DraftRowOp draft_row_op(const History& history, Op op);

/// The operation before its result is known.
[[nodiscard]] DraftRowOp as_asked(DraftRowOp op);

/// Whether the predicate uses the column.
[[nodiscard]] bool mentions(const rows::Predicate& predicate, rows::ColumnId column);

/// Adds operations of a draft to the builder of another history.
class DraftRowsBuilder {
 public:
  /// The value of the other history for a value of the draft.
  using Values = std::function<ValueId(ValueId)>;

  /// Borrows `whole`, the rows of the original history, and the builder.
  DraftRowsBuilder(const rows::Rows& whole, HistoryBuilder& history, Values values);

  /// Errors: those of the RowsBuilder.
  [[nodiscard]] Result<MopInput> add(const DraftRowOp& op);

  [[nodiscard]] std::shared_ptr<const rows::Rows> build() && {
    return std::move(rows_).build(whole_.is_closed());
  }

 private:
  [[nodiscard]] KeyId row(KeyId of);
  [[nodiscard]] rows::ColumnId column(rows::ColumnId of);
  [[nodiscard]] std::vector<rows::Field> fields(const std::vector<rows::Field>& of);
  [[nodiscard]] rows::Predicate predicate(const rows::Predicate& of);

  const rows::Rows& whole_;
  Values values_;
  rows::RowsBuilder rows_;
};

}  // namespace elapid
