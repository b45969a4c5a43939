// Counts how often ids were given, as Jepsen's checker does.
//
//   ids 7 3 7    {:attempted-count 4, :acknowledged-count 3, :duplicated-count 1,
//                 :duplicated {7 2}, :range [3 7]}      where a fourth operation failed
//
// After jepsen.checker/unique-ids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct IdCounts {
  std::vector<ResultEntry> entries = {};
  bool has_duplicates = false;
  /// The reason why Jepsen's checker throws, if it does: it sorts the ids, and some of them have no
  /// order. Then there is no range.
  std::optional<std::string> problem = {};
};

/// O(n log n). Equal ids of different keys of jepsen.independent are not duplicates.
[[nodiscard]] IdCounts count_ids(const History& history);

}  // namespace elapid
