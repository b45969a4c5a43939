// Elle's search for cycles (docs/elle-rules.md, "Cycles"): in each strongly connected component the
// first cycle of each class along paths, in the order in which Elle's tries iterate.
#pragma once

#include <optional>
#include <string>

#include "engine/elle/analysis.h"
#include "engine/infer/cycles.h"

namespace elapid::elle {

/// Cycles, ...-cycle-exists, cycle-search-timeout and empty-transaction-graph, by component.
struct CycleFindings : elapid::CycleFindings {
  /// What Elle throws if it cannot explain a cycle that it found.
  std::optional<std::string> exception;
};

/// Ignores CycleOptions::wanted and proving: Elle searches for all. Requires an analysis without
/// exception, whose `graph` gets the process edges. Linear in the graph if it has no cycle. A
/// component whose budget ends is searched on for the shortest cycle of each class that is left, so
/// that the verdict does not depend on the budget.
[[nodiscard]] CycleFindings find_cycles(const History& history, Analysis& analysis,
                                        const CycleOptions& options);

}  // namespace elapid::elle
