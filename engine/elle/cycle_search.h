// Elle's search for cycles (docs/elle-rules.md, "Cycles"): in each strongly connected component the
// first cycle of each class along paths, in the order in which Elle's tries iterate.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/elle/analysis.h"
#include "engine/infer/order.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

struct CycleOptions {
  ExternalOrders orders = {};
  /// Edge visits for the search in one component.
  std::uint64_t edge_visits = 0;
  /// Wall-clock milliseconds for the search in one component; 0: none.
  std::uint64_t milliseconds = 0;
  bool keep_components = false;
  /// Polled now and then; false stops the search, with what was found.
  std::function<bool()> keep_going = {};
};

struct CycleFindings {
  /// Cycles, ...-cycle-exists, cycle-search-timeout and empty-transaction-graph, by component.
  std::vector<Anomaly> anomalies;
  std::vector<Component> components;
  /// What Elle throws where it cannot explain a cycle that it found.
  std::optional<std::string> exception;
  bool is_partial = false;  ///< edges were too many to be looked at: there may be further cycles
};

/// Requires an analysis without exception, whose `graph` gets the process edges. Linear in the
/// graph where there is no cycle. A component whose budget ends is searched on for the shortest
/// cycle of each class that is left, so that the verdict does not depend on the budget.
[[nodiscard]] CycleFindings find_cycles(const History& history, Analysis& analysis,
                                        const CycleOptions& options);

}  // namespace elapid::elle
