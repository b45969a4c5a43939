#include "harness/drive/sql/sql_texts.h"

#include <algorithm>
#include <iterator>

namespace elapid {

std::string SqlTexts::table(std::size_t number) const {
  return "elapid_" + std::to_string(number);
}

std::vector<std::string> SqlTexts::row_creation() const {
  return {
      "drop table if exists elapid_rows",
      "create table elapid_rows (k bigint not null primary key, g bigint not null, v bigint not "
      "null, u bigint not null)" +
          std::string(spelling_.table_options),
      "create index elapid_rows_g on elapid_rows (g, v)",
      "create index elapid_rows_v on elapid_rows (v)"};
}

/// The statements on rows, by SqlRowStatement and PlainRowsBy.
std::vector<std::string> SqlTexts::row_statements() const {
  constexpr std::string_view kWhere[kSqlPredicates] = {" where k between ? and ?", " where g = ?",
                                                       " where v between ? and ?",
                                                       " where g = ? and v between ? and ?"};
  const std::string lock(settings_.locks_reads ? spelling_.for_update : "");
  std::vector<std::string> all(kSqlPredicates,
                               "insert into elapid_rows (k, g, v, u) values (?, ?, ?, ?)");
  for (const std::string_view where : kWhere) {
    all.push_back("select k, g, v, u from elapid_rows" + std::string(where) + " order by k" + lock);
  }
  for (const std::string_view where : kWhere) {
    all.push_back("update elapid_rows set v = ?, u = ?" + std::string(where));
  }
  for (const std::string_view where : kWhere) {
    all.push_back("delete from elapid_rows" + std::string(where));
  }
  std::ranges::transform(all, all.begin(),
                         [this](std::string text) { return spelled(std::move(text)); });
  return all;
}

std::vector<std::string> SqlTexts::creation() const {
  if (is_of_rows_) {
    return row_creation();
  }
  const std::string value_type(!has_lists_ || has_rows()            ? "bigint"
                               : settings_.lists == SqlLists::kJson ? spelling_.json_type
                                                                    : spelling_.text_type);
  std::vector<std::string> commands;
  for (std::size_t number = 0; number < settings_.tables; ++number) {
    const std::string name = table(number);
    const std::string place = has_rows() ? "place bigint not null, " : "";
    const std::string primary_key = has_rows() ? "k, place" : "k";
    commands.push_back("drop table if exists " + name);
    commands.push_back("create table " + name + " (k bigint not null, s bigint not null, " + place +
                       "v " + value_type + ", primary key (" + primary_key + "))" +
                       std::string(spelling_.table_options));
    commands.push_back("create index " + name + "_s on " + name + " (s)");
  }
  return commands;
}

std::vector<std::string> SqlTexts::statements() const {
  if (is_of_rows_) {
    return row_statements();
  }
  std::vector<std::string> all;
  for (std::size_t number = 0; number < settings_.tables; ++number) {
    std::ranges::transform(statements_of(table(number)), std::back_inserter(all),
                           [this](std::string text) { return spelled(std::move(text)); });
  }
  return all;
}

std::vector<std::string> SqlTexts::statements_of(const std::string& table) const {
  const std::string order = has_rows() ? " order by place" : "";
  const std::string lock(settings_.locks_reads ? spelling_.for_update : "");
  const std::string read = "select v from " + table + where() + order + lock;
  if (has_rows()) {
    const std::string number(spelling_.integer);
    const std::string insert = "insert into " + table + " (k, s, place, v) select " + number +
                               ", " + number + ", coalesce(max(place), 0) + 1, " + number +
                               " from " + table + where();
    return {read, insert, insert, insert, insert, insert};
  }
  const std::string insert = "insert into " + table + " (k, s, v) values (?, ?, ?)";
  const std::string update = "update " + table + " set v = ";
  const std::string old = spelling_.names_old_value ? table + ".v" : std::string("v");
  const std::string added(spelling_.new_value);
  if (!has_lists_) {
    return {read, merge(table, added), update + "?" + where(), insert, read, read};  // no appends
  }
  return {read,
          merge(table, added),
          update + "?" + where(),
          insert,
          merge(table, appended(old, added)),
          update + appended("v", "?") + where()};
}

std::string SqlTexts::appended(const std::string& old, const std::string& added) const {
  return settings_.lists == SqlLists::kJson ? spelling_.append_json(old, added)
                                            : spelling_.append_text(old, added);
}

std::string SqlTexts::merge(const std::string& table, const std::string& value) const {
  return "insert into " + table + " (k, s, v) values (?, ?, ?)" +
         std::string(spelling_.on_conflict) + " v = " + value;
}

std::string SqlTexts::where() const {
  return settings_.by_primary_key ? " where k = ?" : " where s = ?";
}

std::string SqlTexts::spelled(std::string text) const {
  if (!spelling_.numbers_arguments) {
    return text;
  }
  std::string out;
  int number = 0;
  for (const char c : text) {
    out += c == '?' ? "$" + std::to_string(++number) : std::string(1, c);
  }
  return out;
}

}  // namespace elapid
