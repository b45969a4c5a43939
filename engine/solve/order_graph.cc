#include "engine/solve/order_graph.h"

#include <limits>

namespace elapid {

OrderGraph::OrderGraph(const OrderProblem& problem, OrderLevel level)
    : level_(level),
      events_(problem.txn_count(), level.visibility),
      vertex_count_(events_.count()) {
  edges_.reserve(problem.txn_count() * std::size_t{2} + problem.reads().size());
  add_own_edges(problem);
  add_initial_txn(problem);
  if (level.sessions) {
    add_sessions(problem);
  }
  if (level.real_time) {
    add_timeline(problem);
  }
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    add_read_from(problem, r);
  }
  for (const OrderProblem::KnownOrder& known : problem.known_orders()) {
    add({events_.commit(known.before), events_.barrier(known.after), EdgeReason::kListOrder,
         known.key.value});
  }
}

void OrderGraph::add_read_from(const OrderProblem& problem, std::uint32_t read) {
  const WriteRef writer = problem.writer_of(read);
  if (writer != kOpenWriter && writer != kInitialState) {
    add({events_.commit(problem.write(writer).txn), events_.read_event(problem.reads()[read]),
         EdgeReason::kReadFrom, read});
  }
}

void OrderGraph::add_own_edges(const OrderProblem& problem) {
  for (std::uint32_t t = 0; t < problem.txn_count() && !events_.is_merged(); ++t) {
    if (problem.presence(t) != Presence::kAbsent) {
      add({events_.start(t), events_.commit(t), EdgeReason::kOwn});
    }
  }
}

void OrderGraph::add_sessions(const OrderProblem& problem) {
  const History& history = problem.history();
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId previous;
    for (const TxnId txn : history.session_txns({s})) {
      if (problem.presence(txn.value) == Presence::kAbsent) {
        continue;
      }
      if (!previous.is_none()) {
        add({events_.commit(previous.value), events_.start(txn.value), EdgeReason::kSession});
      }
      if (history.committed(txn)) {  // others may take effect any time later
        previous = txn;
      }
    }
  }
}

void OrderGraph::add_initial_txn(const OrderProblem& problem) {
  const TxnId first = problem.history().info().initial_txn;
  for (std::uint32_t t = 0; t < problem.txn_count() && !first.is_none(); ++t) {
    if (t != first.value && problem.presence(t) != Presence::kAbsent) {
      add({events_.commit(first.value), events_.start(t), EdgeReason::kInitialTxn});
    }
  }
}

/// Completions lead to the next instant, instants to later invocations; a new instant begins where
/// a completion follows an invocation.
void OrderGraph::add_timeline(const OrderProblem& problem) {
  constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint32_t kCompletion = std::uint32_t{1} << 31;
  const History& history = problem.history();
  std::vector<std::uint32_t> at(history.info().event_count, kNothing);
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    if (problem.presence(t) == Presence::kAbsent) {
      continue;
    }
    if (history.has_invocation({t})) {
      at[history.invocation_id({t}).index()] = t;
    }
    if (history.committed({t})) {
      at[history.completion_id({t}).index()] = t | kCompletion;
    }
  }
  std::uint32_t instant = kNothing;
  bool is_used = false;  // something started after the instant
  for (const std::uint32_t slot : at) {
    if (slot == kNothing) {
      continue;
    }
    if ((slot & kCompletion) == 0) {
      if (instant != kNothing) {
        add({instant, events_.start(slot), EdgeReason::kTimeline});
        is_used = true;
      }
      continue;
    }
    if (instant == kNothing || is_used) {
      if (instant != kNothing) {
        add({instant, vertex_count_, EdgeReason::kTimeline});
      }
      instant = vertex_count_++;
      is_used = false;
    }
    add({events_.commit(slot & ~kCompletion), instant, EdgeReason::kTimeline});
  }
}

}  // namespace elapid
