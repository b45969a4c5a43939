// From dependency edges to cycles: components first, then the classes of cycles within each.
#ifndef ELAPID_ENGINE_INFER_CYCLES_H_
#define ELAPID_ENGINE_INFER_CYCLES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/infer/inference.h"
#include "engine/infer/order.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct CycleOptions {
  ExternalOrders orders = {};
  /// The anomalies that matter: running out of budget while looking for others is no matter.
  AnomalySet wanted = {};
  /// Edge visits for the search in one component.
  std::uint64_t edge_visits = 0;
  /// Wall-clock milliseconds for the search in one component; 0: none.
  std::uint64_t milliseconds = 0;
  bool keep_components = false;
  /// Polled now and then; false stops the search, with what was found.
  std::function<bool()> keep_going = {};
};

struct CycleFindings {
  std::vector<Anomaly>
      anomalies;  ///< cycles, ...-cycle-exists and cycle-search-timeout, by component
  std::vector<Component> components;
  bool is_partial = false;  ///< edges were too many to be looked at: there may be further cycles
};

/// At most one cycle a class and strongly connected component.
///
/// A component is first tested, in linear time, for each model's forbidden graph; this alone
/// decides the verdict. Then the classes that the models left standing do not exclude are searched,
/// in Elle's order (elle-semantics.md, E), for the shortest cycle of each.
[[nodiscard]] CycleFindings find_cycles(const History& history, const Inference& inference,
                                        const CycleOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_CYCLES_H_
