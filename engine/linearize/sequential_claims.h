// Verifies what a search for a sequential order says (sequential_search.h), without its code: an
// order is carried out, and where there is none, all orders are tried.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "engine/linearize/object_verdict.h"
#include "engine/linearize/sequential_steps.h"
#include "engine/linearize/types/plain_search.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

/// All configurations, by the number of operations done. A read that is possible is done at once,
/// since it hinders nothing; no other rule keeps them few.
[[nodiscard]] PlainAnswer try_all_orders(const History& history, std::span<const Object> objects,
                                         const ModelOf& model_of, std::uint64_t work,
                                         const std::function<bool()>& has_budget = {});

/// Whether the order has each completed operation once, each open one at most once, keeps the order
/// of each process, and is possible for the objects. `replay`: a fresh object of the type.
[[nodiscard]] bool is_sequential_order(
    const History& history, std::span<const Object> objects, std::span<const OrderEvent> order,
    const std::function<std::unique_ptr<Replay>(const Object&)>& replay);

}  // namespace elapid::linearize
