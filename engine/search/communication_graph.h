// Divides a history into parts that can be searched alone. Transactions of different parts share no
// keys, and are on no common circle of keys and sessions.
//
// The vertices of the communication graph are sessions. Sessions that touch the same key are
// adjacent. If each biconnected component has an order, so has the whole graph: two
// components share at most one session, and they agree on its order (Biswas and Enea, "On
// the Complexity of Checking Transactional Consistency", OOPSLA 2019, theorem 5.2). If
// session order does not count, each transaction is a session. With real time, all is one
// component.
//
// Unlike in the paper, no later transaction of a session waits for an indeterminate one. An
// indeterminate transaction is a vertex of its own, adjacent to its session. It is in one
// component, so it takes effect wholly or not at all.
#pragma once

#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/demands.h"

namespace elapid::search {

/// A transaction in a component.
struct Task {
  TxnId txn;
  bool is_optional = false;
  Index access_begin = 0;
  Index access_count = 0;
  Index after_chain = kNone;  ///< for an optional one: the chain with the tasks before it
  Index after_count = 0;
};

/// Chains of transactions, each in the order in which its transactions must run.
struct SearchComponent {
  std::vector<Access> accesses;
  std::vector<Task> tasks;  ///< chain by chain
  std::vector<Index> chain_begin = {0};

  [[nodiscard]] Index chain_count() const { return static_cast<Index>(chain_begin.size() - 1); }

  [[nodiscard]] std::span<const Access> accesses_of(const Task& task) const {
    return std::span(accesses).subspan(task.access_begin, task.access_count);
  }
};

/// All transactions, except a recorded initial one and those that touch no key. Near linear.
[[nodiscard]] std::vector<SearchComponent> divide(const Demands& demands, OrderLevel level);

}  // namespace elapid::search
