// The spellings of databases for features that all of them have.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// In these texts, `old` and `new` are SQL for the old value and the added one.
struct SqlSpelling {
  std::string_view text_type = {};      ///< long texts
  std::string_view json_type = {};      ///< JSON documents; texts if there is no such type
  std::string_view table_options = {};  ///< after `create table ... (...)`
  std::string_view on_conflict = {};    ///< after `insert ... values (...)`, before `v = ...`
  std::string_view new_value = {};      ///< in that clause, the value to be inserted
  bool names_old_value = false;      ///< in that clause, the row's own value is `table.v`, not `v`
  bool numbers_arguments = false;    ///< `$1`, `$2`, not `?`
  std::string_view integer = "?";    ///< an argument that nothing else marks as a whole number
  std::string_view for_update = {};  ///< after a select that locks its rows; empty: it has none
  std::string (*append_text)(const std::string& old, const std::string& added) = nullptr;
  std::string (*append_json)(const std::string& old,
                             const std::string& added) = nullptr;  ///< SQL that appends to a list
  bool has_returning = false;  ///< an update or a delete can return the rows that it found
};

}  // namespace elapid
