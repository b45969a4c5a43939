// The levels of databases that the theory of `elapid advise` covers, and the databases' words.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/advise/lowest.h"
#include "engine/ir/result.h"

namespace elapid {

struct DatabaseLevels {
  std::string_view name;   ///< as typed: `postgres`
  std::string_view shown;  ///< `PostgreSQL`
  /// By level: the words after SET TRANSACTION ISOLATION LEVEL; empty if it has no such level.
  std::array<std::string_view, advise::kLevelCount> words;
  std::string_view note;  ///< the setting that the database needs, a phrase; empty: none

  [[nodiscard]] advise::OfferedLevels offered() const;

  [[nodiscard]] std::string_view words_of(advise::Level level) const {
    return words[static_cast<std::size_t>(level)];
  }
};

/// The names of the databases.
[[nodiscard]] std::vector<std::string_view> advised_databases();

/// Error kUsage: the database is unknown, or not covered, with the reason.
[[nodiscard]] Result<const DatabaseLevels*> database_levels(std::string_view name);

/// Parses a list of some of `rc,si,ssi`. Error kUsage, also for a level that the database lacks.
[[nodiscard]] Result<advise::OfferedLevels> parse_offered(std::string_view names,
                                                          const DatabaseLevels& database);

}  // namespace elapid
