// Divides a history into parts that can be searched alone: transactions of different parts share
// neither keys nor, through other transactions, a circle of keys and sessions.
//
// Sessions are the vertices of the communication graph, and those that touch the same key are
// adjacent. If each biconnected component of it has an order, so has the whole: two components
// share at most one session, on whose order they agree (Biswas and Enea, "On the Complexity of
// Checking Transactional Consistency", OOPSLA 2019, theorem 5.2). Where session order does not
// count, each transaction is a session. Real time ties everything together: then there is one
// component.
//
// Indeterminate transactions are treated otherwise than in the paper: no later transaction of their
// session has to wait for them. Each is a vertex of its own, adjacent to its session, and lies in
// one component, so that it takes effect wholly or not at all.
#pragma once

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
  Index after_chain = kNone;  ///< for an optional one: the chain whose first tasks precede it
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
