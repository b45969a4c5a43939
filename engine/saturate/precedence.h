// The edges that every commit order must contain, as a graph. Its cycles are violations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/graph/scc.h"
#include "engine/levels/models.h"
#include "engine/saturate/observations.h"

namespace elapid {

/// A level's axiom demands that `before` commits before `after`: some read saw `after`'s write of a
/// key (Seen::kInitial: the initial state) although `before`, which wrote the key too, was visible
/// to it.
struct ForcedEdge {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  friend auto operator<=>(const ForcedEdge&, const ForcedEdge&) = default;
};

/// Whether session order binds all transactions, only those that write, or none.
enum class SessionBound : std::uint8_t { kAll, kWriters, kNone };

/// How much of session order the commit orders of a saturable level contain.
[[nodiscard]] SessionBound session_bound(OrderLevel level);

/// Predecessors of each vertex: writers that were read from, session order and real time as far as
/// the level has them, known orders of list versions, and forced edges. Vertices beyond the
/// transactions are instants of a timeline. Read-from edges are not stored again.
class Precedence {
 public:
  Precedence(const Observations& seen, OrderLevel level);

  /// Adds edges, none of them to Seen::kInitial, and vertices up to `vertex_count` that they lead
  /// through. Linear in all edges.
  void force(std::span<const ForcedEdge> edges, std::uint32_t vertex_count);

  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }

  /// One predecessor after the other, as strong_components() asks for successors: components are
  /// then numbered in the order of precedence.
  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const;

 private:
  void add_writes_after_reads();

  const Observations& seen_;
  std::uint32_t vertex_count_;
  std::uint32_t initial_txn_;      // or Seen::kInitial
  std::vector<ForcedEdge> known_;  // sessions, timeline, versions of lists, forced
  Adjacency predecessors_;         // the same
};

/// The present transactions in an order of precedence, where no component has more than one vertex.
[[nodiscard]] std::vector<std::uint32_t> present_in_order(const Observations& seen,
                                                          const Components& components);

}  // namespace elapid
