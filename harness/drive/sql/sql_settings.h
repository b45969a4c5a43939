// Ways to use SQL, as parameters of the address: `postgres:?lists=rows&tables=3`.
// Jepsen's tests of SQL databases vary them, since a bug may show in only one of
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"

namespace elapid {

/// How lists are stored.
enum class SqlLists : std::uint8_t {
  kText,  ///< a row a list, a text `1,2,3`
  kRows,  ///< a row an element, with its place
  kJson,  ///< a row a list, a document `[1, 2, 3]`
};

struct SqlSettings {
  SqlLists lists = SqlLists::kText;
  bool appends_in_place = true;  ///< by the database; else the client reads and writes all
  bool merges = true;           ///< one statement inserts or updates; else an update is tried first
  bool by_primary_key = true;   ///< rows are found by it; else by another indexed column
  std::size_t tables = 1;       ///< number of tables for the keys
  bool locks_reads = false;     ///< `select ... for update`
  bool has_savepoints = false;  ///< one around each operation
};

/// The parameters of all SQL drivers, for DriverInfo.
inline constexpr std::array kSqlParameters = {
    DriverParameter{"lists", "text, rows, json",
                    "A list is a text, a row an element, or a JSON document"},
    DriverParameter{"append", "in-place, read-write",
                    "Whether the database appends, or the client reads and writes the whole list"},
    DriverParameter{"upsert", "merge, update-insert",
                    "One statement that inserts or updates, or an update and then an insert"},
    DriverParameter{"access", "primary, secondary",
                    "Rows are found by the primary key, or by another"},
    DriverParameter{"tables", "", "Keys are spread over so many tables (1)"},
    DriverParameter{"savepoints", "off, on", "A savepoint around each operation"},
};

/// The parameters of drivers with reads that can lock.
inline constexpr std::array kSqlLockParameters = {
    DriverParameter{"reads", "plain, for-update", "Whether reads lock what they find"},
};

/// Concatenates the parameters of several lists.
template <std::size_t... kSizes>
constexpr auto joined_parameters(const std::array<DriverParameter, kSizes>&... lists) {
  std::array<DriverParameter, (kSizes + ...)> all = {};
  auto at = all.begin();
  ((at = std::ranges::copy(lists, at).out), ...);
  return all;
}

/// Error: kUsage for a number of tables outside 1 to 100, or for settings that exclude each other.
[[nodiscard]] Result<SqlSettings> sql_settings(const DatabaseUri& uri);

}  // namespace elapid
