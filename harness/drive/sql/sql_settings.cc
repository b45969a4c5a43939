#include "harness/drive/sql/sql_settings.h"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace elapid {

Result<SqlSettings> sql_settings(const DatabaseUri& uri) {
  const std::string_view lists = uri.parameter("lists", "text");
  const std::string_view tables = uri.parameter("tables", "1");
  SqlSettings settings = {.lists = lists == "rows"   ? SqlLists::kRows
                                   : lists == "json" ? SqlLists::kJson
                                                     : SqlLists::kText,
                          .appends_in_place = uri.parameter("append", "in-place") == "in-place",
                          .merges = uri.parameter("upsert", "merge") == "merge",
                          .by_primary_key = uri.parameter("access", "primary") == "primary",
                          .locks_reads = uri.parameter("reads", "plain") == "for-update",
                          .has_savepoints = uri.parameter("savepoints", "off") == "on"};
  const char* const end = tables.data() + tables.size();
  if (std::from_chars(tables.data(), end, settings.tables) !=
          std::from_chars_result{end, std::errc()} ||
      settings.tables < 1 || settings.tables > 100) {
    return usage_error("tables is a number from 1 to 100, not '" + std::string(tables) + "'");
  }
  if (settings.lists == SqlLists::kRows && !settings.appends_in_place) {
    return usage_error(
        "a list of rows is never written as a whole: append=read-write needs another");
  }
  return settings;
}

}  // namespace elapid
