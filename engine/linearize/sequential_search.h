// Sequential consistency of operations on objects: an order of all operations that keeps the order
// of each process, but not real time (Lamport, IEEE TC 1979).
//
//   process 0   enqueue 1, enqueue 2
//   process 1   dequeue nil, dequeue 1      an order: dequeue nil, enqueue 1, enqueue 2, dequeue 1
//
// An operation that never returned comes after the earlier ones of its process, or not at all; it
// may take effect after later ones, as everywhere (engine/infer/order.h). Sequential consistency is
// not local: all objects are searched at once.
//
// The search goes from configuration to configuration: how far each process is, which operations
// that never returned took effect, and the state of each object. Two rules keep them few. A read
// that is possible is done at once, since it hinders nothing. Of equal operations that never
// returned, one acts for all. Deciding sequential consistency is NP-complete (Gibbons and Korach,
// SIAM J. Comput. 1997), so this is for some hundred operations.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/types/plain_search.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

/// The model of an object, for all its operations or those that a core leaves.
using ModelOf = std::function<std::unique_ptr<Model>(const Object&)>;

struct SequentialAnswer {
  PlainAnswer answer = PlainAnswer::kSpent;
  std::vector<OrderEvent> order = {};  ///< if kOrder
};

/// Whether the operations have such an order. `work`: the most steps from configurations; reduced
/// by the steps done. `has_budget` is called now and then: once it returns false, no work is left.
/// Spent at once for more operations than such a search can serve.
[[nodiscard]] SequentialAnswer search_sequentially(const History& history,
                                                   std::span<const Object> objects,
                                                   const ModelOf& model_of, std::uint64_t& work,
                                                   const std::function<bool()>& has_budget = {});

/// A second opinion: all configurations, by the number of operations done. The first rule alone
/// keeps them few.
[[nodiscard]] PlainAnswer try_all_orders(const History& history, std::span<const Object> objects,
                                         const ModelOf& model_of, std::uint64_t work,
                                         const std::function<bool()>& has_budget = {});

/// Whether the order has each completed operation once, each open one at most once, keeps the order
/// of each process, and is possible for the objects. `replay`: a fresh object of the type.
[[nodiscard]] bool is_sequential_order(
    const History& history, std::span<const Object> objects, std::span<const OrderEvent> order,
    const std::function<std::unique_ptr<Replay>(const Object&)>& replay);

}  // namespace elapid::linearize
