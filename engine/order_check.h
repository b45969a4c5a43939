// The levels that an order of events defines, decided by the solver and put into a verdict's terms.
#ifndef ELAPID_ENGINE_ORDER_CHECK_H_
#define ELAPID_ENGINE_ORDER_CHECK_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/ir/history.h"
#include "engine/models.h"
#include "engine/verdict.h"

namespace elapid {

struct OrderFindings {
  std::vector<LevelAnswer> levels = {};
  /// What violates the levels that do not hold.
  std::vector<Anomaly> anomalies = {};
  ModelSet proven = {};   ///< models that hold, those that are implied included
  ModelSet refuted = {};  ///< models that do not, the stronger ones included
  std::optional<std::string> undecided_because = {};
};

/// Decides the strongest of the models demanded that an order of events defines: the others follow.
/// Assumptions about keys bind the order. `progress` is asked before each; returning false ends it.
[[nodiscard]] OrderFindings check_orders(const History& history, const CheckOptions& options,
                                         const std::function<bool()>& progress);

}  // namespace elapid

#endif  // ELAPID_ENGINE_ORDER_CHECK_H_
