// The levels of databases that the theory of `elapid advise` covers, and their words for them.
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
  /// By level: what stands behind SET TRANSACTION ISOLATION LEVEL; empty: it has no such level.
  std::array<std::string_view, advise::kLevelCount> words;
  std::string_view note;  ///< what the database must be set to, a phrase; empty: nothing

  [[nodiscard]] advise::OfferedLevels offered() const;

  [[nodiscard]] std::string_view words_of(advise::Level level) const {
    return words[static_cast<std::size_t>(level)];
  }
};

/// Names of databases.
[[nodiscard]] std::vector<std::string_view> advised_databases();

/// Error kUsage: it is not known, or not covered, with the reason.
[[nodiscard]] Result<const DatabaseLevels*> database_levels(std::string_view name);

/// `rc,si,ssi`, a part of them. Error kUsage, also for a level that the database has not.
[[nodiscard]] Result<advise::OfferedLevels> parse_offered(std::string_view names,
                                                          const DatabaseLevels& database);

}  // namespace elapid
