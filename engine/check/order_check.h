// The levels that an order of events defines, decided by the solver and put into a verdict's terms.
#ifndef ELAPID_ENGINE_CHECK_ORDER_CHECK_H_
#define ELAPID_ENGINE_CHECK_ORDER_CHECK_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/levels/entailment.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// What violates a model that does not hold.
struct OrderViolation {
  Model model = Model::kPl3;
  Anomaly anomaly;
};

struct OrderFindings {
  std::vector<LevelAnswer> levels = {};
  std::vector<OrderViolation> violations = {};
  KnownModels known = {};
  /// Of each model that stayed undecided after it had been asked for, why.
  std::vector<std::pair<Model, std::string>> undecided = {};
  std::vector<std::string> warnings = {};
};

/// Decides the strongest of the models demanded that an order of events defines: the others follow.
/// Assumptions about keys bind the order. `progress` is asked before each; returning false ends it.
[[nodiscard]] OrderFindings check_orders(const History& history, const CheckOptions& options,
                                         const std::function<bool()>& progress);

/// Decides all `models` that `known` leaves open, as far as an order of events defines them, until
/// `wanted` are decided: the strongest of all, weak ones, which cost little, then strong ones.
[[nodiscard]] OrderFindings check_each_order(const History& history, const CheckOptions& options,
                                             ModelSet models, ModelSet wanted, KnownModels known,
                                             const std::function<bool()>& progress);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_ORDER_CHECK_H_
