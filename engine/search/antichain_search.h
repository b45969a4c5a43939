// Exhaustive search for an order of the transactions of one component: Biswas and Enea, "On the
// Complexity of Checking Transactional Consistency" (OOPSLA 2019), section 5.
//
// A state says how far each chain was carried out, and what the keys hold. From state to state
// leads any transaction that may come next and reads what it did; where transactions have two
// events, its start or its commit. Each state is visited once: O(length ^ chains) of them. Beyond
// the paper:
//
// - The state has values, not writers, so that values which repeat need no choice.
// - What no transaction reads any more is no part of the state.
// - No version ends that a committed transaction still wants, unless it can come back.
// - Moves that can do no harm are made at once (see is_harmless_start()).
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

/// What is left for all components together.
struct SearchBudget {
  std::uint64_t work = 0;    ///< moves looked at
  std::uint64_t states = 0;  ///< remembered at a time, and moves: 48 to 80 bytes each
  std::function<bool()> keep_going = {};
};

struct SearchOutcome {
  Validity validity = Validity::kUnknown;
  std::vector<OrderEvent> order = {};  ///< valid: of all tasks but optional ones without effect
  bool is_full = false;                ///< unknown: as many states as may be were remembered
  std::uint64_t states = 0;            ///< visited
};

/// Decides whether the component's transactions have an order at a level that is not saturable.
/// `store` keeps nothing of use of the component's keys. The budget is reduced by the work done.
[[nodiscard]] SearchOutcome search_antichains(const Demands& demands, OrderLevel level,
                                              const SearchComponent& component, KeyStore& store,
                                              SearchBudget& budget);

}  // namespace elapid::search
