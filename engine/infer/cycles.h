// From dependency edges to cycles: components first, then the classes of cycles within each.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/graph/search_budget.h"
#include "engine/infer/inference.h"
#include "engine/infer/order.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct CycleOptions {
  ExternalOrders orders = {};
  /// The anomalies that matter. If the budget runs out while others are searched, nothing is said.
  AnomalySet wanted = {};
  /// The wanted ones that prove a violation. If some cycle of these is shorter than all of the
  /// classes that say most, it is shown as well.
  AnomalySet proving = {};
  /// Edge visits for the search in one component.
  std::uint64_t edge_visits = 0;
  /// Wall-clock milliseconds for the search in one component; 0: none.
  std::uint64_t milliseconds = 0;
  bool keep_components = false;
  /// Polled now and then; false stops the search, with what was found.
  std::function<bool()> keep_going = {};

  /// For the search in one component, which begins now.
  [[nodiscard]] SearchBudget make_budget() const;
};

struct CycleFindings {
  /// ...-cycle-exists and cycle-search-timeout by component, then cycles, the shortest first.
  std::vector<Anomaly> anomalies;
  std::vector<Component> components;
  bool is_partial = false;  ///< some edges were left out, too many to list: cycles may be missing
};

/// At most one cycle a class and strongly connected component, the shortest there is.
///
/// A component is first tested, in linear time, for each model's forbidden graph; this alone
/// decides the verdict. Then the classes that the models left standing do not exclude are searched,
/// in Elle's order (docs/elle-rules.md), for the shortest cycle of each. A class that a cycle found
/// implies is passed over, and searched only in the end, for a cycle shorter than all that were
/// found: it says less, but a reader follows it more easily.
///
/// Example: T1 reads x = nil, T2 wrote x = 1 and completed long before T1 was invoked, and a chain
/// of dependencies leads from T2 to T1 through ten others. G-single-item of twelve transactions is
/// found first, since it rules out snapshot isolation; strict serializability is refuted by
/// G-single-item-realtime of two.
[[nodiscard]] CycleFindings find_cycles(const History& history, const Inference& inference,
                                        const CycleOptions& options);

}  // namespace elapid
