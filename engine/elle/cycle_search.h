// Elle's search for cycles (docs/elle-rules.md, "Cycles"): the first cycle of each class in each
// strongly connected component, in the iteration order of Elle's tries.
#pragma once

#include <optional>
#include <string>

#include "engine/elle/analysis.h"
#include "engine/infer/cycles.h"

namespace elapid::elle {

/// Cycles, ...-cycle-exists, cycle-search-timeout and empty-transaction-graph, by component.
struct CycleFindings : elapid::CycleFindings {
  /// Elle's exception if it cannot explain a cycle that it found.
  std::optional<std::string> exception;
};

/// Ignores CycleOptions::wanted and proving: Elle searches for all. Requires an analysis without
/// exception; adds the process edges to its `graph`. Linear in the graph if there is no cycle. If
/// the budget of a component ends, the search goes on for the shortest cycle of each remaining
/// class, so that the verdict does not depend on the budget.
[[nodiscard]] CycleFindings find_cycles(const History& history, Analysis& analysis,
                                        const CycleOptions& options);

}  // namespace elapid::elle
