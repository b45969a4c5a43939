#include "harness/scenario/step_sql.h"

#include <algorithm>

#include "engine/ir/mapped.h"
#include "harness/scenario/scenario_tables.h"

namespace elapid {
namespace {

using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;

constexpr std::string_view kKeys = "elapid_keys";

std::string table_name(std::size_t table) {
  return "elapid_rows_" + std::to_string(table);
}

std::string joined(std::span<const std::string> parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : std::string(between)) + part;
  }
  return text;
}

}  // namespace

std::string StepSql::literal(ValueId value) const {
  return value.is_nil() || value.is_none() ? "null" : scenario_.script.values().text(value);
}

/// The column for `:age` is `c_age`; a name that not every database accepts becomes its number.
std::string StepSql::column_of_name(ValueId name, std::size_t number) const {
  const std::string text = name.is_none() ? ":value" : scenario_.script.values().text(name);
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool is_name =
      text.size() < 50 && text.starts_with(':') && std::ranges::all_of(text.substr(1), is_plain);
  return is_name ? "c_" + text.substr(1) : "c" + std::to_string(number);
}

std::string StepSql::column(rows::ColumnId column) const {
  return column_of_name(scenario_.script.info().rows->column_name(column), column.index());
}

std::vector<std::string> StepSql::creation() const {
  std::vector<std::string> texts;
  const std::string options(spelling_.table_options);
  if (!scenario_.has_rows()) {
    const std::string type(scenario_.script.has_lists() ? spelling_.text_type : "bigint");
    texts.push_back("drop table if exists " + std::string(kKeys));
    texts.push_back("create table " + std::string(kKeys) + " (k bigint not null primary key, v " +
                    type + ")" + options);
    return texts;
  }
  // Drops tables in reverse order, since a later table may refer to an earlier one.
  for (std::size_t table = scenario_.tables.size(); table-- > 0;) {
    texts.push_back("drop table if exists " + table_name(table));
  }
  const rows::Rows& rows = *scenario_.script.info().rows;
  for (std::size_t table = 0; table < scenario_.tables.size(); ++table) {
    std::string columns;
    for (std::uint32_t c = 0; c < rows.column_count(); ++c) {
      columns += ", " + column({c}) + " bigint";
    }
    const std::string name = table_name(table);
    texts.push_back("create table " + name + " (k bigint not null primary key" + columns + ")" +
                    options);
    for (std::uint32_t c = 0; c < rows.column_count(); ++c) {
      const ValueId column_name = rows.column_name({c});
      if (!column_name.is_none() &&
          std::ranges::find(scenario_.indexes, scenario_.script.values().text(column_name)) !=
              scenario_.indexes.end()) {
        texts.push_back("create index " + name + "_" + column({c}) + " on " + name + " (" +
                        column({c}) + ")");
      }
    }
  }
  return texts;
}

std::vector<std::string> StepSql::filling() const {
  std::vector<std::string> texts;
  if (!scenario_.has_rows()) {
    texts.push_back("delete from " + std::string(kKeys));
    const std::string first(scenario_.script.has_lists() ? "''" : "null");
    for (std::size_t key = 0; key < scenario_.script.key_count(); ++key) {
      texts.push_back("insert into " + std::string(kKeys) + " (k, v) values (" +
                      std::to_string(key) + ", " + first + ")");
    }
  } else {
    for (std::size_t table = scenario_.tables.size(); table-- > 0;) {
      texts.push_back("delete from " + table_name(table));
    }
  }
  for (std::size_t i = 0; i < scenario_.starts; ++i) {
    texts.push_back(operation(scenario_.ops()[i]));
  }
  return texts;
}

std::vector<std::string> StepSql::final_reads() const {
  std::vector<std::string> texts;
  for (std::size_t key = 0; key < scenario_.script.key_count() && !scenario_.has_rows(); ++key) {
    texts.push_back("select v from " + std::string(kKeys) + " where k = " + std::to_string(key));
  }
  for (std::size_t table = 0; table < scenario_.tables.size() && scenario_.has_rows(); ++table) {
    texts.push_back(select(table, ""));
  }
  return texts;
}

std::string StepSql::operation(Op op) const {
  if (op.kind() == OpKind::kRow) {
    return row_operation(scenario_.script.info().rows->op(op), table_of(scenario_, op).value());
  }
  const std::string table(kKeys);
  const std::string where = " where k = " + std::to_string(op.key().index());
  switch (op.kind()) {
    case OpKind::kWrite:
      return "update " + table + " set v = " + literal(op.value()) + where;
    case OpKind::kAppend:
      return "update " + table +
             " set v = " + spelling_.append_text("v", "'" + literal(op.value()) + "'") + where;
    default:
      return "select v from " + table + where;
  }
}

std::string StepSql::row_operation(const RowOp& op, std::size_t table) const {
  const std::string name = table_name(table);
  const std::string returning = op.has_predicate() && spelling_.has_returning ? " returning k" : "";
  switch (op.kind) {
    case RowOpKind::kInsert:
      return insert(op, table);
    case RowOpKind::kPut:
      return insert(op, table) + std::string(spelling_.on_conflict) + " " +
             assignments(scenario_.script.info().rows->written(op));
    case RowOpKind::kUpdate:
    case RowOpKind::kPredicateUpdate:
      return "update " + name + " set " + assignments(scenario_.script.info().rows->written(op)) +
             where(op, table) + returning;
    case RowOpKind::kDelete:
    case RowOpKind::kPredicateDelete:
      return "delete from " + name + where(op, table) + returning;
    default:
      return select(table, where(op, table));
  }
}

std::string StepSql::insert(const RowOp& op, std::size_t table) const {
  const rows::Rows& rows = *scenario_.script.info().rows;
  std::string columns = "k";
  std::string values = literal(rows.key(op.row));
  for (const rows::Field& field : rows.written(op)) {
    columns += ", " + column(field.column);
    values += ", " + literal(field.value);
  }
  return "insert into " + table_name(table) + " (" + columns + ") values (" + values + ")";
}

/// An update without assignments sets the key to itself.
std::string StepSql::assignments(std::span<const rows::Field> fields) const {
  auto parts = mapped<std::string>(fields, [&](const rows::Field& field) {
    return column(field.column) + " = " + literal(field.value);
  });
  return parts.empty() ? "k = k" : joined(parts, ", ");
}

std::string StepSql::select(std::size_t table, const std::string& where) const {
  std::string columns = "k";
  for (std::uint32_t c = 0; c < scenario_.script.info().rows->column_count(); ++c) {
    columns += ", " + column({c});
  }
  return "select " + columns + " from " + table_name(table) + where + " order by k";
}

std::string StepSql::where(const RowOp& op, std::size_t table) const {
  const rows::Rows& rows = *scenario_.script.info().rows;
  if (!op.has_predicate()) {
    return " where k = " + literal(rows.key(op.row));
  }
  // A condition that only says that a row is in its table is left out.
  const auto is_whole_table = [&](const Predicate& part) {
    return part.kind == Predicate::Kind::kTrue || (part.kind == Predicate::Kind::kKeyRange &&
                                                   part.low <= scenario_.tables[table].first_key &&
                                                   scenario_.tables[table].last_key <= part.high);
  };
  const Predicate& predicate = rows.predicate(op);
  std::vector<std::string> parts;
  for (const Predicate& part : predicate.kind == Predicate::Kind::kAnd ? std::span(predicate.parts)
                                                                       : std::span(&predicate, 1)) {
    if (!is_whole_table(part)) {
      parts.push_back(condition(part));
    }
  }
  return parts.empty() ? "" : " where " + joined(parts, " and ");
}

std::string StepSql::condition(const Predicate& predicate) const {
  const auto number = [](std::int64_t n) { return std::to_string(n); };
  std::vector<std::string> parts;
  switch (predicate.kind) {
    case Predicate::Kind::kTrue:
      return "1 = 1";
    case Predicate::Kind::kEqual:
      return column(predicate.column) + " = " + literal(predicate.value);
    case Predicate::Kind::kRange:
      return column(predicate.column) + " between " + number(predicate.low) + " and " +
             number(predicate.high);
    case Predicate::Kind::kKeyRange:
      return "k between " + number(predicate.low) + " and " + number(predicate.high);
    case Predicate::Kind::kMod: {
      const std::string by = number(predicate.high);
      return "((" + column(predicate.column) + " % " + by + ") + " + by + ") % " + by + " = " +
             number(predicate.low);
    }
    case Predicate::Kind::kPresent:
      return column(predicate.column) + " is not null";
    default:
      break;
  }
  for (const Predicate& part : predicate.parts) {
    parts.push_back("(" + condition(part) + ")");
  }
  if (predicate.kind == Predicate::Kind::kNot) {
    return "not " + parts.front();
  }
  const bool is_and = predicate.kind == Predicate::Kind::kAnd;
  return parts.empty() ? (is_and ? "1 = 1" : "1 = 0") : joined(parts, is_and ? " and " : " or ");
}

}  // namespace elapid
