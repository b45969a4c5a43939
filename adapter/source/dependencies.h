// Counts the dependencies of each kind between sessions. Cycles consist of them: a history without
// anti-dependencies, say, cannot show a write skew, whatever the database does.
#pragma once

#include <cstddef>
#include <string>

#include "engine/ir/history.h"

namespace elapid {

/// Between committed transactions of different sessions, as far as values that one transaction
/// alone wrote show them: of a list the longest read tells the order of versions, of a register the
/// transactions that read a version and write the next one. So there may be more, but not less.
struct DependencyCounts {
  std::size_t ww = 0;  ///< versions that follow one of another session
  std::size_t wr = 0;  ///< reads of what another session wrote
  std::size_t rw = 0;  ///< reads of what another session then overwrote
};

/// O(n log n) in the operations and elements read.
[[nodiscard]] DependencyCounts count_dependencies(const History& history);

/// `3 ww, 12 wr and 5 rw dependencies between sessions`.
[[nodiscard]] std::string dependencies_text(const DependencyCounts& counts);

}  // namespace elapid
