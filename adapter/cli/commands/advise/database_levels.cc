#include "adapter/cli/commands/advise/database_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "adapter/cli/options/options.h"
#include "engine/ir/mapped.h"

namespace elapid {
namespace {

using advise::Level;

constexpr std::array kDatabases = {
    DatabaseLevels{
        "postgres", "PostgreSQL", {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}, ""},
    DatabaseLevels{"oracle", "Oracle", {"READ COMMITTED", "SERIALIZABLE", ""}, ""},
    DatabaseLevels{"sqlserver",
                   "SQL Server",
                   {"READ COMMITTED", "SNAPSHOT", ""},
                   "with READ_COMMITTED_SNAPSHOT and ALLOW_SNAPSHOT_ISOLATION"},
};

/// A known database whose levels are not covered.
struct UncoveredDatabase {
  std::string_view name;
  std::string_view reason;
};

constexpr std::string_view kInnodb =
    "InnoDB is not covered: at REPEATABLE READ its updates do not keep to the snapshot, and its "
    "SERIALIZABLE locks";
constexpr std::array kUncoveredDatabases = {
    UncoveredDatabase{"mysql", kInnodb},
    UncoveredDatabase{"mariadb", kInnodb},
    UncoveredDatabase{"sqlite", "SQLite has no level below serializable to advise"},
};

constexpr std::array<std::string_view, advise::kLevelCount> kAdvisedNames = {"rc", "si", "ssi"};

}  // namespace

advise::OfferedLevels DatabaseLevels::offered() const {
  advise::OfferedLevels levels;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].empty()) {
      levels.push_back(static_cast<Level>(i));
    }
  }
  return levels;
}

std::vector<std::string_view> advised_databases() {
  return mapped<std::string_view>(kDatabases, &DatabaseLevels::name);
}

Result<const DatabaseLevels*> database_levels(std::string_view name) {
  const auto found = std::ranges::find(kDatabases, name, &DatabaseLevels::name);
  if (found != kDatabases.end()) {
    return &*found;
  }
  const auto uncovered = std::ranges::find(kUncoveredDatabases, name, &UncoveredDatabase::name);
  return uncovered != kUncoveredDatabases.end()
             ? usage_error(std::string(uncovered->reason))
             : usage_error(fmt::format("expected a database, postgres, oracle or sqlserver, found "
                                       "{}{}",
                                       name, nearest(name, advised_databases())));
}

Result<advise::OfferedLevels> parse_offered(std::string_view names,
                                            const DatabaseLevels& database) {
  std::array<bool, advise::kLevelCount> is_named = {};
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    const auto place =
        static_cast<std::size_t>(std::ranges::find(kAdvisedNames, name) - kAdvisedNames.begin());
    if (place == kAdvisedNames.size()) {
      return usage_error(fmt::format("--levels: expected rc, si or ssi, found {}", name));
    }
    if (database.words[place].empty()) {
      return usage_error(fmt::format("--levels: {} has no {}", database.shown, name));
    }
    is_named[place] = true;
  }
  advise::OfferedLevels levels;
  for (std::size_t i = 0; i < is_named.size(); ++i) {
    if (is_named[i]) {
      levels.push_back(static_cast<Level>(i));
    }
  }
  return levels;
}

}  // namespace elapid
