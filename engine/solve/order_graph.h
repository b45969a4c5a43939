// The event graph: edges that hold in every execution, each with its reason.
#ifndef ELAPID_ENGINE_SOLVE_ORDER_GRAPH_H_
#define ELAPID_ENGINE_SOLVE_ORDER_GRAPH_H_

#include <cstdint>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/models.h"
#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Why an edge holds.
enum class EdgeReason : std::uint8_t {
  kOwn,          ///< a transaction starts before it commits
  kSession,      ///< session order
  kInitialTxn,   ///< the recorded initial transaction comes first
  kTimeline,     ///< real time, by way of a chain of instants
  kReadFrom,     ///< detail: the read
  kListOrder,    ///< detail: the key; no read shows the append of `to`
  kVisible,      ///< detail: a read that sees `from` and yet what `to` wrote: ww
  kNoOverlap,    ///< detail: the key, of which `to` cannot precede `from`: ww (kSnapshot)
  kOverwritten,  ///< detail: a read whose version comes before that of `to`: rw
};

/// 12 bytes.
class EventEdge {
 public:
  EventEdge(std::uint32_t from, std::uint32_t to, EdgeReason reason, std::uint32_t detail = 0)
      : from_(from), to_(to), why_(static_cast<std::uint32_t>(reason) | detail << 4) {}

  [[nodiscard]] std::uint32_t from() const { return from_; }

  [[nodiscard]] std::uint32_t to() const { return to_; }

  [[nodiscard]] EdgeReason reason() const { return static_cast<EdgeReason>(why_ & 15U); }

  [[nodiscard]] std::uint32_t detail() const { return why_ >> 4; }

 private:
  std::uint32_t from_;
  std::uint32_t to_;
  std::uint32_t why_;
};

class OrderGraph {
 public:
  /// Orders that the level includes, and read-from edges of reads whose writer is known. Linear.
  OrderGraph(const OrderProblem& problem, OrderLevel level);

  [[nodiscard]] const EventMap& events() const { return events_; }

  [[nodiscard]] OrderLevel level() const { return level_; }

  /// Events of transactions and instants of the timeline, which come last in order of time.
  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }

  [[nodiscard]] const std::vector<EventEdge>& edges() const { return edges_; }

  /// The successors of each vertex by the edges there are now.
  [[nodiscard]] Adjacency successors() const;

  void add(EventEdge edge) { edges_.push_back(edge); }

  void add_read_from(const OrderProblem& problem, std::uint32_t read);

 private:
  void add_own_edges(const OrderProblem& problem);
  void add_sessions(const History& history, const std::vector<bool>& is_present);
  void add_initial_txn(const OrderProblem& problem);
  void add_real_time(const History& history, const std::vector<bool>& is_present);

  OrderLevel level_;
  EventMap events_;
  std::uint32_t vertex_count_;
  std::vector<EventEdge> edges_;
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_ORDER_GRAPH_H_
