// How often ids were given, as Jepsen's checker of them counts.
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
  /// Why Jepsen's checker throws, if it does: it sorts ids, and some of these have no order. Then
  /// there is no range.
  std::optional<std::string> problem = {};
};

/// O(n log n). Ids of different keys of jepsen.independent are no duplicates of one another.
[[nodiscard]] IdCounts count_ids(const History& history);

}  // namespace elapid
