// From dependency edges to cycles: first components, then the classes of cycles within each.
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
  /// The anomalies that matter. A budget that is spent on the search for others is not reported.
  AnomalySet wanted = {};
  /// The wanted anomalies that prove a violation. If one of them is a cycle shorter than all cycles
  /// of the strongest classes, it is shown as well.
  AnomalySet proving = {};
  /// Edge visits for the search in one component.
  std::uint64_t edge_visits = 0;
  /// Wall-clock milliseconds for the search in one component; 0: none.
  std::uint64_t milliseconds = 0;
  bool keep_components = false;
  /// Called now and then. If it returns false, the search stops, with the cycles found so far.
  std::function<bool()> keep_going = {};

  /// A budget for the search in one component, which begins now.
  [[nodiscard]] SearchBudget make_budget() const;
};

struct CycleFindings {
  /// ...-cycle-exists and cycle-search-timeout by component, then cycles, the shortest first.
  std::vector<Anomaly> anomalies;
  std::vector<Component> components;
  bool is_partial = false;  ///< too many edges: some were left out, and cycles may be missing
};

/// At most one cycle for each class and strongly connected component, the shortest that exists.
///
/// First a linear test of each component decides the verdict: whether it has a cycle in each
/// model's forbidden graph. Then the classes that the remaining models do not exclude are searched,
/// in Elle's order (docs/elle-rules.md), for the shortest cycle of each. A class that a found cycle
/// implies is searched last, only for a cycle shorter than all cycles found: it says less, but is
/// easier to follow.
///
/// Example: T1 reads x = nil, T2 wrote x = 1 and completed long before T1 was invoked, and a chain
/// of dependencies leads from T2 to T1 through ten others. G-single-item of twelve transactions is
/// found first, since it rules out snapshot isolation; strict serializability is refuted by
/// G-single-item-realtime of two.
[[nodiscard]] CycleFindings find_cycles(const History& history, const Inference& inference,
                                        const CycleOptions& options);

}  // namespace elapid
