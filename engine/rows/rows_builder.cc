#include "engine/rows/rows_builder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/rows/other_rows.h"

namespace elapid::rows {

namespace {

constexpr std::size_t kMaxOps = std::size_t{1} << 30;

Error malformed_row_op(const RowOpInput& input, std::string message) {
  return {.message = std::move(message), .byte_offset = input.position.offset};
}

/// Whether an operation of this kind may have such a result. Writes by predicates show no contents,
/// since these are known.
bool may_have(RowOpKind kind, Known known) {
  switch (kind) {
    case RowOpKind::kPredicateRead:
      return true;
    case RowOpKind::kRead:
      return known == Known::kNothing || known == Known::kVersions || known == Known::kValues ||
             known == Known::kKeys;
    case RowOpKind::kPredicateUpdate:
    case RowOpKind::kPredicateDelete:
      return known != Known::kBag && known != Known::kValues;
    default:
      return known == Known::kNothing;
  }
}

}  // namespace

ColumnId RowsBuilder::column(ValueId name) {
  const auto next = static_cast<std::uint32_t>(rows_.column_names_.size());
  const auto [found, is_new] = columns_.try_emplace(name, ColumnId{next});
  if (is_new) {
    rows_.column_names_.push_back(name);
    ordered_columns_.emplace_back();
  }
  return found->second;
}

KeyId RowsBuilder::row(ValueId key) {
  const KeyId row = history_.key(key);
  if (row.index() >= rows_.row_keys_.size()) {
    rows_.row_keys_.resize(row.index() + 1, ValueId::none());
    last_result_.resize(row.index() + 1, 0);
  }
  rows_.row_keys_[row.index()] = key;
  return row;
}

Result<MopInput> RowsBuilder::add(const RowOpInput& input) {
  ELAPID_RETURN_IF_ERROR(check(input));
  RowOp op = {.kind = input.kind,
              .known = input.known,
              .row = input.row,
              .version = input.version,
              .first = input.first,
              .count = input.count};
  if (op.has_predicate()) {
    op.predicate = {static_cast<std::uint32_t>(rows_.predicates_.size())};
    rows_.predicates_.push_back(input.predicate);
  }
  op.field_begin = static_cast<std::uint32_t>(rows_.fields_.size());
  op.field_count = static_cast<std::uint32_t>(input.written.size());
  rows_.fields_.append(input.written);
  has_null_rows_ = has_null_rows_ || std::ranges::any_of(input.written, [&](const Field& field) {
                     return field.value.is_nil() && rows_.column_name(field.column).is_none();
                   });
  op.shown_begin = static_cast<std::uint32_t>(rows_.shown_.size());
  op.shown_count = static_cast<std::uint32_t>(input.shown.size());
  for (const ShownRowInput& shown : input.shown) {
    rows_.shown_.push_back({.row = shown.row,
                            .version = shown.version,
                            .field_begin = static_cast<std::uint32_t>(rows_.fields_.size()),
                            .field_count = static_cast<std::uint32_t>(shown.fields.size())});
    rows_.fields_.append(shown.fields);
  }
  rows_.ops_.push_back(op);
  return MopInput{.kind = OpKind::kRow,
                  .key = op.has_predicate() ? history_.key(history_.values().intern("*")) : op.row,
                  .value = ValueId::integer(static_cast<std::int64_t>(rows_.ops_.size()) - 1)};
}

Status RowsBuilder::check(const RowOpInput& input) {
  if (rows_.ops_.size() + 1 >= kMaxOps || rows_.fields_.size() >= kMaxOps ||
      rows_.shown_.size() >= kMaxOps) {
    return malformed_row_op(input, "more operations on rows than one history can hold");
  }
  if (!may_have(input.kind, input.known) ||
      (!names_rows(input.known) && input.known != Known::kBag && !input.shown.empty())) {
    return malformed_row_op(input, "a result that this operation cannot have");
  }
  if (!writes_columns(input.kind) && !input.written.empty()) {
    return malformed_row_op(input, "this operation writes no columns, but some are given");
  }
  ELAPID_RETURN_IF_ERROR(check_fields(input, input.written));
  if (input.kind >= RowOpKind::kPredicateRead) {
    ELAPID_RETURN_IF_ERROR(check_predicate(input, input.predicate, 0));
  } else if (!has_plain_key(input.row)) {
    ELAPID_RETURN_IF_ERROR(note_key(input, input.row));
  }
  return check_shown(input);
}

Status RowsBuilder::check_fields(const RowOpInput& input, std::span<const Field> fields) {
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (std::find_if(fields.begin(), field,
                     [&](const Field& other) { return other.column == field->column; }) != field) {
      return malformed_row_op(
          input,
          "column " + history_.values().text(rows_.column_name(field->column)) + " is given twice");
    }
    const bool is_other =
        !field->value.is_nil() && !history_.values().as_integer(field->value).has_value();
    if (is_other) {
      Ordered& ordered = ordered_columns_[field->column.index()];
      ordered.has_others = true;
      ELAPID_RETURN_IF_ERROR(note(ordered, input, "this column"));
    }
  }
  return {};
}

Status RowsBuilder::check_shown(const RowOpInput& input) {
  const std::size_t most = input.kind == RowOpKind::kRead ? 1
                           : input.first > 0              ? input.first
                                                          : input.shown.size();
  if (input.shown.size() > most || (input.first > 0 && input.count > input.first)) {
    return malformed_row_op(input, "more rows in the result than were asked for");
  }
  if (input.first > 0) {
    ordered_keys_.is_compared = true;
    ELAPID_RETURN_IF_ERROR(note(ordered_keys_, input, "the key"));
  }
  for (const ShownRowInput& shown : input.shown) {
    const bool has_version = !shown.version.is_none();
    if (has_version != (input.known == Known::kVersions) ||
        (has_version && !shown.fields.empty())) {
      return malformed_row_op(input, "a result shows the versions of all its rows, or of none");
    }
    if (!shown.fields.empty()) {
      ELAPID_RETURN_IF_ERROR(check_fields(input, shown.fields));
    }
    if (input.known == Known::kBag) {
      continue;
    }
    if (input.kind == RowOpKind::kRead && shown.row != input.row) {
      return malformed_row_op(input, "the result shows another row than the one that was read");
    }
    if (!has_plain_key(shown.row)) {
      ELAPID_RETURN_IF_ERROR(note_key(input, shown.row));
    }
  }
  if (input.known != Known::kBag) {
    return check_rows_differ(input);
  }
  const auto same_columns = [&](const ShownRowInput& row) {
    return std::ranges::equal(row.fields, input.shown.front().fields, {}, &Field::column,
                              &Field::column);
  };
  if (!std::ranges::all_of(input.shown, same_columns)) {
    return malformed_row_op(input, "rows without keys must all show the same columns");
  }
  return {};
}

/// Checks that no row is twice in a result, unless the result is a bag.
Status RowsBuilder::check_rows_differ(const RowOpInput& input) {
  ++results_;
  KeyId twice = KeyId::none();
  for (const ShownRowInput& shown : input.shown) {
    std::uint32_t& last = last_result_[shown.row.index()];
    if (last == results_) {
      twice = twice.is_none() ? shown.row : std::min(twice, shown.row);
    }
    last = results_;
  }
  return twice.is_none()
             ? Status()
             : malformed_row_op(input, "row " + history_.values().text(rows_.key(twice)) +
                                           " appears twice in the result");
}

Status RowsBuilder::check_predicate(const RowOpInput& input, const Predicate& predicate,
                                    std::size_t depth) {
  using Kind = Predicate::Kind;
  if (depth > Predicate::kMaxDepth) {
    return malformed_row_op(input, "a predicate is nested too deeply");
  }
  if (predicate.kind == Kind::kMod &&
      (predicate.high < 1 || predicate.low < 0 || predicate.low >= predicate.high)) {
    return malformed_row_op(input, "expected a remainder from 0 to below a divisor, found " +
                                       std::to_string(predicate.low) + " by " +
                                       std::to_string(predicate.high));
  }
  if (predicate.kind == Kind::kRange || predicate.kind == Kind::kMod) {
    Ordered& ordered = ordered_columns_[predicate.column.index()];
    ordered.is_compared = true;
    ELAPID_RETURN_IF_ERROR(note(ordered, input, "this column"));
  }
  if (predicate.kind == Kind::kKeyRange) {
    ordered_keys_.is_compared = true;
    ELAPID_RETURN_IF_ERROR(note(ordered_keys_, input, "the key"));
  }
  if (predicate.kind == Kind::kNot && predicate.parts.size() != 1) {
    return malformed_row_op(
        input, "expected one predicate to negate, found " + std::to_string(predicate.parts.size()));
  }
  for (const Predicate& part : predicate.parts) {
    ELAPID_RETURN_IF_ERROR(check_predicate(input, part, depth + 1));
  }
  return {};
}

Status RowsBuilder::note_key(const RowOpInput& input, KeyId row) {
  if (!rows_.is_row(row)) {
    return malformed_row_op(input, "expected a row, found none");
  }
  if (!history_.values().as_integer(rows_.key(row))) {
    ordered_keys_.has_others = true;
  }
  return note(ordered_keys_, input, "the key");
}

Status RowsBuilder::note(Ordered& ordered, const RowOpInput& input, std::string_view what) {
  if (ordered.is_compared && ordered.has_others) {
    return malformed_row_op(input,
                            std::string("ranges, remainders and limits need integers, but ") +
                                std::string(what) + " also holds other values");
  }
  return {};
}

/// Names rows of an open universe that may have been counted.
void RowsBuilder::name_other_rows() {
  OtherRows others;
  for (const RowOp& op : rows_.ops_) {
    if (op.has_predicate()) {
      others.note(op, rows_.predicate(op));
    }
  }
  for (const ValueId key : rows_.row_keys_) {
    if (const auto number = key.is_none() ? std::nullopt : history_.values().as_integer(key)) {
      others.note_key(*number);
    }
  }
  for (const std::int64_t key : others.keys(rows_.names_all_rows_)) {
    row(history_.values().integer(key));
  }
}

/// Where rows are single values and one of them may be null, a read by key that shows nil does not
/// tell such a row from none.
void RowsBuilder::forget_reads_of_none() {
  for (RowOp& op : rows_.ops_) {
    if (op.kind == RowOpKind::kRead && op.known == Known::kValues && op.shown_count == 0) {
      op.known = Known::kNothing;
    }
  }
}

std::shared_ptr<const Rows> RowsBuilder::build(bool is_closed) && {
  rows_.is_closed_ = is_closed;
  if (!is_closed) {
    name_other_rows();
  }
  if (has_null_rows_) {
    forget_reads_of_none();
  }
  return std::make_shared<const Rows>(std::move(rows_));
}

}  // namespace elapid::rows
