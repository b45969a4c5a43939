// From a cycle of transactions to the steps that evidence shows.
#ifndef ELAPID_ENGINE_SOLVE_CYCLE_STEPS_H_
#define ELAPID_ENGINE_SOLVE_CYCLE_STEPS_H_

#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// One step an edge, with the operations that it names. Linear in these transactions' operations.
[[nodiscard]] std::vector<Step> steps_of(const History& history, std::span<const OrderEdge> cycle);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_CYCLE_STEPS_H_
