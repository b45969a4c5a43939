// Sequential consistency of operations on objects: an order of all operations that keeps the order
// of each process, but not real time (Lamport, IEEE TC 1979).
//
//   process 0   enqueue 1, enqueue 2
//   process 1   dequeue nil, dequeue 1      an order: dequeue nil, enqueue 1, enqueue 2, dequeue 1
//
// Sequential consistency is not local: all objects are searched at once. Deciding it is NP-complete
// (Gibbons and Korach, SIAM J. Comput. 1997).
//
// The search goes depth first from configuration to configuration: how far each process is, which
// operations that never returned took effect, and the state of each object. Two rules keep them
// few. A read that is possible is done at once, since it hinders nothing. Of equal operations that
// never returned, one acts for all.
//
// The next operations of all processes are tried in the order of their returns. A process that is
// stuck is noticed late if others go on to their ends. So the first passes let none run far ahead
// of the others: an operation waits for those that returned long before. They find orders that are
// not far from real time, also of very many operations. The last pass lets all run.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/sequential_steps.h"
#include "engine/linearize/types/plain_search.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

struct SequentialAnswer {
  PlainAnswer answer = PlainAnswer::kSpent;
  std::vector<OrderEvent> order = {};  ///< if kOrder
};

/// Whether the operations have such an order. `work`: the most steps from configurations; reduced
/// by the steps done. `has_budget` is called now and then: once it returns false, no work is left.
/// Configurations are known by hashes of 64 bits: where nothing less than certainty will do,
/// try_all_orders() confirms that there is no order.
[[nodiscard]] SequentialAnswer search_sequentially(const History& history,
                                                   std::span<const Object> objects,
                                                   const ModelOf& model_of, std::uint64_t& work,
                                                   const std::function<bool()>& has_budget = {});

}  // namespace elapid::linearize
