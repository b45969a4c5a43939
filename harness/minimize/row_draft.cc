#include "harness/minimize/row_draft.h"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

namespace elapid {

DraftRowOp draft_row_op(const History& history, Op op) {
  const rows::Rows& all = *history.info().rows;
  const rows::RowOp& of = all.op(op);
  DraftRowOp result = {.kind = of.kind,
                       .known = of.known,
                       .row = of.row,
                       .version = of.version,
                       .first = of.first,
                       .count = of.count};
  if (of.has_predicate()) {
    result.predicate = all.predicate(of);
  }
  const auto copied = [](std::span<const rows::Field> fields) {
    return std::vector<rows::Field>(fields.begin(), fields.end());
  };
  result.written = copied(all.written(of));
  for (const rows::ShownRow& shown : all.shown(of)) {
    result.shown.push_back(
        {.row = shown.row, .version = shown.version, .fields = copied(all.fields(shown))});
  }
  return result;
}

DraftRowOp as_asked(DraftRowOp op) {
  op.known = rows::Known::kNothing;
  op.shown.clear();
  op.count = 0;
  return op;
}

bool mentions(const rows::Predicate& predicate, rows::ColumnId column) {
  return (predicate.has_column() && predicate.column == column) ||
         std::ranges::any_of(predicate.parts,
                             [&](const rows::Predicate& part) { return mentions(part, column); });
}

DraftRowsBuilder::DraftRowsBuilder(const rows::Rows& whole, HistoryBuilder& history, Values values)
    : whole_(whole), values_(std::move(values)), rows_(history) {}

Result<MopInput> DraftRowsBuilder::add(const DraftRowOp& op) {
  rows::RowOpInput input = {.kind = op.kind,
                            .row = op.row.is_none() ? op.row : row(op.row),
                            .version = values_(op.version),
                            .known = op.known,
                            .first = op.first,
                            .count = op.count};
  if (op.has_predicate()) {
    input.predicate = predicate(op.predicate);
  }
  const std::vector<rows::Field> written = fields(op.written);
  std::deque<std::vector<rows::Field>> shown_fields;
  std::vector<rows::ShownRowInput> shown;
  for (const DraftShownRow& one : op.shown) {
    shown.push_back({.row = one.row.is_none() ? one.row : row(one.row),
                     .version = values_(one.version),
                     .fields = shown_fields.emplace_back(fields(one.fields))});
  }
  input.written = written;
  input.shown = shown;
  return rows_.add(input);
}

KeyId DraftRowsBuilder::row(KeyId of) {
  return rows_.row(values_(whole_.key(of)));
}

rows::ColumnId DraftRowsBuilder::column(rows::ColumnId of) {
  return rows_.column(values_(whole_.column_name(of)));
}

std::vector<rows::Field> DraftRowsBuilder::fields(const std::vector<rows::Field>& of) {
  std::vector<rows::Field> result;
  for (const rows::Field& field : of) {
    result.push_back({column(field.column), values_(field.value)});
  }
  return result;
}

rows::Predicate DraftRowsBuilder::predicate(const rows::Predicate& of) {
  rows::Predicate result = of;
  if (of.has_column()) {
    result.column = column(of.column);
  }
  result.value = values_(of.value);
  std::ranges::transform(of.parts, result.parts.begin(),
                         [this](const rows::Predicate& part) { return predicate(part); });
  return result;
}

}  // namespace elapid
