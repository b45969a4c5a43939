// Counts the dependencies of each kind between sessions. Cycles consist of dependencies: a history
// without anti-dependencies, for example, cannot show a write skew on any database.
#pragma once

#include <cstddef>
#include <string>

#include "engine/ir/history.h"

namespace elapid {

/// Dependencies between committed transactions of different sessions, as shown by values with one
/// writer. The longest read gives the version order of a list; transactions that read a version and
/// write the next one give that of a register. So these are lower bounds.
struct DependencyCounts {
  std::size_t ww = 0;  ///< versions that follow another session's version
  std::size_t wr = 0;  ///< reads of another session's write
  std::size_t rw = 0;  ///< reads of versions that another session overwrote
};

/// O(n log n) in the operations and elements read.
[[nodiscard]] DependencyCounts count_dependencies(const History& history);

/// `3 ww, 12 wr and 5 rw dependencies between sessions`.
[[nodiscard]] std::string dependencies_text(const DependencyCounts& counts);

}  // namespace elapid
