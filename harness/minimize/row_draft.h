// Operations on rows in a draft: copies that can be edited, and the way to a RowsBuilder.
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

/// See rows::RowOp. Rows, columns and values are those of the history that it was taken from.
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

  /// The row must not be there before, or need not.
  [[nodiscard]] bool makes_row() const {
    return kind == rows::RowOpKind::kInsert || kind == rows::RowOpKind::kPut;
  }

  /// What was found is told by rows, not by how many there were or by what they held alone.
  [[nodiscard]] bool names_rows() const {
    return known == rows::Known::kVersions || known == rows::Known::kValues ||
           known == rows::Known::kKeys;
  }
};

[[nodiscard]] DraftRowOp draft_row_op(const History& history, Op op);

/// The same before it is known what it found.
[[nodiscard]] DraftRowOp as_asked(DraftRowOp op);

/// Whether the predicate speaks of the column.
[[nodiscard]] bool mentions(const rows::Predicate& predicate, rows::ColumnId column);

/// Hands operations of a draft over to the builder of another history.
class DraftRowsBuilder {
 public:
  /// What values of the draft are in the other history.
  using Values = std::function<ValueId(ValueId)>;

  /// Borrows `whole`, the rows of the history that the draft was taken from, and the builder.
  DraftRowsBuilder(const rows::Rows& whole, HistoryBuilder& history, Values values);

  /// Errors: of the RowsBuilder.
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
