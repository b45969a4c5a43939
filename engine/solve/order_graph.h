// The event graph: edges that hold in every execution, each with its reason. Its vertices are
// events of transactions, instants of real time, meeting points of a key's readers and writers, and
// versions of lists with repeated elements (event_map.h, list_places.h). saturation.h adds edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Why an edge holds.
enum class EdgeReason : std::uint8_t {
  kOwn,          ///< a transaction starts before it commits
  kSession,      ///< session order
  kInitialTxn,   ///< the recorded initial transaction comes first
  kTimeline,     ///< real time, by way of a chain of instants; detail kInSession: session order
                 ///< likewise
  kReadFrom,     ///< detail: the read
  kListOrder,    ///< detail: the key; no read shows the append of `to`
  kVisible,      ///< detail: a read of the write of `to` to which `from` is visible: ww
  kNoOverlap,    ///< detail: the key that `to` cannot write before `from`: ww (kSnapshot)
  kOverwritten,  ///< detail: a read whose version comes before that of `to`: rw
  kVersions,     ///< from a prefix of a list to the next
  kShown,        ///< detail: a reading of a list that shows the earlier elements
  kNotShown,     ///< detail: a reading of a list that does not show the later elements
  kKeyOrder,     ///< detail: a link of KeyLink
  kStands,       ///< detail: a stand of a transaction in a list, or behind it
  kReadInitial,  ///< detail: a read of an initial value; it precedes the key's first write
  kFirstWrite,   ///< detail: the key, which `to` writes
};

/// An edge of the event graph; 12 bytes.
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
  static constexpr std::uint32_t kInSession = 1;

  /// Edges of the orders that the levels include, each towards transactions whose level asks for
  /// it, and read-from edges of reads with a known writer. Linear.
  OrderGraph(const OrderProblem& problem, const TxnLevels& levels);

  [[nodiscard]] const EventMap& events() const { return events_; }

  /// Whether all levels include session order.
  [[nodiscard]] bool has_sessions() const { return has_sessions_; }

  /// Vertices are events of transactions, then instants in order of time, then first writes: one
  /// for each key with many readers of its initial value and many writers. It follows these readers
  /// and precedes these writers, so that the number of edges grows linearly with operations.
  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }

  /// The vertex of a prefix of a list with repeated elements, as ListPlaces numbers it.
  [[nodiscard]] std::uint32_t vertex_of_version(std::uint32_t version) const {
    return first_version_ + version;
  }

  [[nodiscard]] bool is_instant(std::uint32_t vertex) const {
    return vertex >= events_.count() && vertex < first_write_;
  }

  [[nodiscard]] bool is_version(std::uint32_t vertex) const { return vertex >= first_version_; }

  [[nodiscard]] std::uint32_t version(std::uint32_t vertex) const {
    return vertex - first_version_;
  }

  [[nodiscard]] const std::vector<EventEdge>& edges() const { return edges_; }

  /// The successors of each vertex by the current edges.
  [[nodiscard]] Adjacency successors() const;

  void add(EventEdge edge) { edges_.push_back(edge); }

  /// Removes all edges except the first `count`. The removed edges must not come from lists.
  void keep(std::size_t count) {
    edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(count), edges_.end());
  }

  /// Adds the edges that follow from a known writer of a read: the read-from edge, and edges of
  /// links of keys.
  void add_read_from(const OrderProblem& problem, std::uint32_t read);

  /// Adds edges for the places in lists that were settled since the last call.
  void follow_lists(const OrderProblem& problem);

  /// Whether the reading precedes later appends by edges of its own, since its transaction appends
  /// as well and is one event.
  [[nodiscard]] bool is_direct(const ListPlaces::Reading& reading) const {
    return events_.is_merged(reading.txn) && reading.appends;
  }

 private:
  void add_own_edges(const OrderProblem& problem);
  void add_sessions(const History& history, const std::vector<bool>& is_present);
  void add_initial_txn(const OrderProblem& problem);
  void add_sessions_to_some(const History& history, const TxnLevels& levels,
                            const std::vector<bool>& is_present);
  void add_real_time(const History& history, const TxnLevels& levels,
                     const std::vector<bool>& is_present);
  void add_first_writes(const OrderProblem& problem);
  void add_first_write(const OrderProblem& problem, std::uint32_t key,
                       std::span<const std::uint32_t> readers);
  void add_lists(const OrderProblem& problem);
  void add_key_links(const OrderProblem& problem);

  bool has_sessions_;
  EventMap events_;
  std::uint32_t vertex_count_;
  std::uint32_t first_write_ = 0;    // the first such vertex
  std::uint32_t first_version_ = 0;  // likewise
  std::size_t stands_followed_ = 0;
  std::vector<EventEdge> edges_;
};

}  // namespace elapid
