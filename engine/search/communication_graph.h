// Which transactions have to do with one another: the parts of a history that can be searched
// alone.
//
// Sessions are the vertices of the communication graph, and those that touch the same key are
// adjacent. If each biconnected component of it has an order, so has the whole: two components
// share at most one session, on whose order they agree (Biswas and Enea, "On the Complexity of
// Checking Transactional Consistency", OOPSLA 2019, theorem 5.2). Where session order does not
// count, each transaction is a session. Real time ties everything together: then there is one
// component.
//
// We differ in indeterminate transactions, which no later one of their session has to wait for:
// each is a vertex of its own, adjacent to its session, and is not divided among components, so
// that it takes effect in all of them or in none.
#ifndef ELAPID_ENGINE_SEARCH_COMMUNICATION_GRAPH_H_
#define ELAPID_ENGINE_SEARCH_COMMUNICATION_GRAPH_H_

#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/demands.h"

namespace elapid::search {

/// A transaction as far as a component is concerned.
struct Task {
  TxnId txn;
  bool is_optional = false;
  Index access_begin = 0;
  Index access_count = 0;
  Index after_chain = kNone;  ///< of an optional one: so many of this chain come before it
  Index after_count = 0;
};

/// Chains of transactions, each in the order in which it has to be carried out.
struct SearchComponent {
  std::vector<Access> accesses;
  std::vector<Task> tasks;  ///< one chain after the other
  std::vector<Index> chain_begin = {0};

  [[nodiscard]] Index chain_count() const { return static_cast<Index>(chain_begin.size() - 1); }

  [[nodiscard]] std::span<const Access> accesses_of(const Task& task) const {
    return std::span(accesses).subspan(task.access_begin, task.access_count);
  }
};

/// All transactions but a recorded initial one, and those that touch no key. Near linear.
[[nodiscard]] std::vector<SearchComponent> divide(const Demands& demands, OrderLevel level);

}  // namespace elapid::search

#endif  // ELAPID_ENGINE_SEARCH_COMMUNICATION_GRAPH_H_
