// Exhaustive search for an order of the transactions of one component: Biswas and Enea, "On the
// Complexity of Checking Transactional Consistency" (OOPSLA 2019), section 5.
//
// A state is the progress in each chain and the contents of the keys. A move from a state carries
// out any transaction that may come next and whose reads are right; if transactions have two
// events, its start or its commit. Each state is visited once: O(length ^ chains) states. In
// addition to the paper:
//
// - The state has values, not writers, so repeated values need no choice.
// - Values that no transaction reads any more are no part of the state.
// - No version ends that a committed transaction still wants, unless it can come back.
// - Harmless moves are made at once (see is_harmless_start()).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/communication_graph.h"
#include "engine/search/key_store.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid::search {

/// The remaining budget for all components.
struct SearchBudget {
  std::uint64_t work = 0;    ///< moves looked at
  std::uint64_t states = 0;  ///< stored at the same time, plus moves: 48 to 80 bytes each
  std::function<bool()> keep_going = {};
};

struct SearchOutcome {
  Validity validity = Validity::kUnknown;
  std::vector<OrderEvent> order = {};  ///< valid: all tasks, except optional ones without effect
  bool is_full = false;                ///< unknown: the limit of stored states was reached
  std::uint64_t states = 0;            ///< visited
};

/// Decides whether the component's transactions have an order, at a level that is not saturable.
/// Leaves nothing useful in `store` about its keys. Reduces the budget by the work done.
[[nodiscard]] SearchOutcome search_antichains(const Demands& demands, OrderLevel level,
                                              const SearchComponent& component, KeyStore& store,
                                              SearchBudget& budget);

}  // namespace elapid::search
