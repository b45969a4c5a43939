#include "parsers/elle_json/row_op_json.h"

#include <unordered_map>

#include "engine/ir/json_string.h"
#include "parsers/json/json_of_edn.h"

namespace elapid {

using rows::Known;
using rows::RowOpKind;

namespace {

/// A column's name as the key of an object.
std::string json_of_column(std::string_view name) {
  std::string text;
  if (name.starts_with(':') || name.starts_with('"')) {
    append_json_of_edn(name, text);
  } else {
    append_json_string(name.substr(0, name.size() - (name.ends_with('N') ? 1 : 0)), text);
  }
  return text;
}

std::string_view name_of(RowOpKind kind) {
  switch (kind) {
    case RowOpKind::kInsert:
      return "insert";
    case RowOpKind::kUpdate:
      return "update";
    case RowOpKind::kPut:
      return "put";
    case RowOpKind::kDelete:
      return "delete";
    case RowOpKind::kRead:
      return "r";
    case RowOpKind::kPredicateRead:
      return "rp";
    case RowOpKind::kPredicateUpdate:
      return "up";
    case RowOpKind::kPredicateDelete:
      break;
  }
  return "dp";
}

}  // namespace

RowOpJson::RowOpJson(const History& history)
    : rows_(*history.info().rows), keys_(history), values_(history), versions_(history) {
  std::unordered_map<std::string, ValueId, SeededHash> names;
  for (rows::ColumnId column{0}; column.index() < rows_.column_count(); ++column.value) {
    const ValueId name = rows_.column_name(column);
    columns_.push_back(name.is_none() ? std::string() : json_of_column(history.text(name)));
    const auto [first, is_new] = names.try_emplace(columns_.back(), name);
    if (!is_new) {
      merged_columns_ = {first->second, name};
    }
  }
}

std::optional<std::pair<ValueId, ValueId>> RowOpJson::merged() const {
  for (const JsonValues* values : {&keys_, &values_, &versions_}) {
    if (values->merged()) {
      return values->merged();
    }
  }
  return merged_columns_;
}

std::string_view RowOpJson::text(const PlannedOp& op) {
  rows::RowOp row_op = rows_.op(Op(op.kind, op.key, op.value));
  if (op.is_asked) {
    row_op.known = Known::kNothing;
    row_op.first = 0;
  }
  text_.clear();
  append(row_op, op.is_asked);
  return text_;
}

void RowOpJson::append(const rows::RowOp& op, bool is_asked) {
  const bool shows_version =
      op.kind == RowOpKind::kRead && op.known == Known::kVersions && op.shown_count > 0;
  text_ += "[\"";
  text_ += shows_version ? "rv" : name_of(op.kind);
  text_ += "\", ";
  if (op.has_predicate()) {
    append_predicate(rows_.predicate(op));
  } else {
    keys_.append(rows_.key(op.row), text_);
  }
  if (rows::writes_columns(op.kind)) {
    text_ += ", ";
    append_fields(rows_.written(op));
  }
  if (op.kind == RowOpKind::kRead) {
    append_read(op, is_asked);
  } else if (op.has_predicate()) {
    append_result(op);
  }
  if (!op.is_read() && !op.version.is_none() && !op.version.is_nil()) {
    text_ += ", {\"version\": ";
    versions_.append(op.version, text_);
    text_ += '}';
  }
  text_ += ']';
}

void RowOpJson::open_predicate(std::string_view name, rows::ColumnId column) {
  text_ += "[\"";
  text_ += name;
  text_ += '"';
  if (!columns_[column.index()].empty()) {
    text_ += ", " + columns_[column.index()];
  }
}

void RowOpJson::append_predicate(const rows::Predicate& is) {
  using PredicateKind = rows::Predicate::Kind;
  const auto numbers = [this](std::int64_t first, std::int64_t second) {
    text_ += ", " + std::to_string(first) + ", " + std::to_string(second);
  };
  const auto parts = [&](std::string_view name) {
    text_ += "[\"";
    text_ += name;
    text_ += '"';
    for (const rows::Predicate& part : is.parts) {
      text_ += ", ";
      append_predicate(part);
    }
  };
  switch (is.kind) {
    case PredicateKind::kTrue:
      text_ += "true";
      return;
    case PredicateKind::kEqual:
      open_predicate("=", is.column);
      text_ += ", ";
      values_.append(is.value, text_);
      break;
    case PredicateKind::kRange:
      open_predicate("in", is.column);
      numbers(is.low, is.high);
      break;
    case PredicateKind::kMod:
      open_predicate("mod", is.column);
      numbers(is.high, is.low);
      break;
    case PredicateKind::kKeyRange:
      text_ += "[\"key\"";
      numbers(is.low, is.high);
      break;
    case PredicateKind::kPresent:
      open_predicate("present", is.column);
      break;
    case PredicateKind::kNot:
      parts("not");
      break;
    case PredicateKind::kAnd:
      parts("and");
      break;
    case PredicateKind::kOr:
      parts("or");
      break;
  }
  text_ += ']';
}

void RowOpJson::append_fields(std::span<const rows::Field> fields) {
  if (fields.size() == 1 && columns_[fields.front().column.index()].empty()) {
    values_.append(fields.front().value, text_);
    return;
  }
  text_ += '{';
  std::string_view separator;
  for (const rows::Field& field : fields) {
    text_ += separator;
    separator = ", ";
    text_ += columns_[field.column.index()] + ": ";
    values_.append(field.value, text_);
  }
  text_ += '}';
}

/// Appends a read. A completed read of which nothing is known has no result.
void RowOpJson::append_read(const rows::RowOp& op, bool is_asked) {
  if (op.known == Known::kNothing && !is_asked) {
    return;
  }
  text_ += ", ";
  if (op.known == Known::kNothing || op.shown_count == 0) {
    text_ += "null";
  } else if (op.known == Known::kVersions) {
    versions_.append(rows_.shown(op).front().version, text_);
  } else {
    append_fields(rows_.fields(rows_.shown(op).front()));
  }
}

void RowOpJson::append_result(const rows::RowOp& op) {
  text_ += ", ";
  switch (op.known) {
    case Known::kNothing:
      text_ += "null";
      return;
    case Known::kCount:
      text_ += "{\"count\": " + std::to_string(op.count);
      break;
    case Known::kAny:
      text_ += op.count > 0 ? "{\"any\": true" : "{\"any\": false";
      break;
    case Known::kVersions:
      text_ += "{\"versions\": ";
      append_shown(op);
      break;
    case Known::kValues:
      text_ += "{\"rows\": ";
      append_shown(op);
      break;
    case Known::kKeys:
      text_ += "{\"keys\": ";
      append_shown(op);
      break;
    case Known::kBag:
      text_ += "{\"bag\": ";
      append_shown(op);
      break;
  }
  if (op.first > 0) {
    text_ += ", \"first\": " + std::to_string(op.first);
  }
  text_ += '}';
}

void RowOpJson::append_shown(const rows::RowOp& op) {
  const bool has_key = op.known != Known::kBag;
  const bool has_content = op.known != Known::kKeys;
  text_ += '[';
  std::string_view separator;
  for (const rows::ShownRow& row : rows_.shown(op)) {
    text_ += separator;
    separator = ", ";
    text_ += has_key && has_content ? "[" : "";
    if (has_key) {
      keys_.append(rows_.key(row.row), text_);
    }
    text_ += has_key && has_content ? ", " : "";
    if (op.known == Known::kVersions) {
      versions_.append(row.version, text_);
    } else if (has_content) {
      append_fields(rows_.fields(row));
    }
    text_ += has_key && has_content ? "]" : "";
  }
  text_ += ']';
}

}  // namespace elapid
