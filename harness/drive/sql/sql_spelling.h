// The different spellings of databases for what all of them can do.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// In what follows `old` and `new` are SQL for the value before and for what comes to it.
struct SqlSpelling {
  std::string_view text_type = {};      ///< long texts
  std::string_view json_type = {};      ///< JSON documents; texts where there is no such type
  std::string_view table_options = {};  ///< after `create table ... (...)`
  std::string_view on_conflict = {};    ///< after `insert ... values (...)`, before `v = ...`
  std::string_view new_value = {};      ///< in that clause, the value that was to be inserted
  bool names_old_value = false;    ///< in that clause, the row's own value is `table.v`, not `v`
  bool numbers_arguments = false;  ///< `$1`, `$2`, not `?`
  std::string_view integer =
      "?";  ///< an argument where nothing else says that it is a whole number
  std::string_view for_update =
      {};  ///< after a select whose rows are to be locked; empty: it cannot
  std::string (*append_text)(const std::string& old, const std::string& added) = nullptr;
  std::string (*append_json)(const std::string& old,
                             const std::string& added) = nullptr;  ///< a list to a list
  bool has_returning = false;  ///< an update or a delete can tell the rows it has found
};

}  // namespace elapid
