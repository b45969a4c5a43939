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

/// A level's axiom demands that `before` commits before `after`: both wrote a key, and `before` was
/// visible to a read that saw `after`'s write of the key (Seen::kInitial: that saw the initial
/// state).
struct ForcedEdge {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  friend auto operator<=>(const ForcedEdge&, const ForcedEdge&) = default;
};

/// The transactions that session order binds: all, only those that write, or none.
enum class SessionBound : std::uint8_t { kAll, kWriters, kNone };

/// The part of session order that the commit orders of a saturable level must contain.
[[nodiscard]] SessionBound session_bound(OrderLevel level);

/// Predecessors of each vertex: writers that were read from, session order and real time as far as
/// the level includes them, known orders of list versions, and forced edges. Vertices after the
/// transactions are instants of a timeline. Read-from edges are not stored again.
class Precedence {
 public:
  Precedence(const Observations& seen, OrderLevel level);

  /// Adds edges, none to Seen::kInitial, and their vertices up to `vertex_count`. Linear in all
  /// edges.
  void force(std::span<const ForcedEdge> edges, std::uint32_t vertex_count);

  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }

  /// The next predecessor of `vertex`. strong_components() uses it in place of successors:
  /// components are then numbered in the order of precedence.
  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const;

 private:
  void add_writes_after_reads();
  [[nodiscard]] std::uint32_t before_in_session(std::uint32_t vertex) const;

  const Observations& seen_;
  std::uint32_t vertex_count_;
  std::uint32_t initial_txn_;                  // the initial transaction, or Seen::kInitial
  std::vector<std::uint32_t> session_before_;  // by transaction, if sessions bind all
  std::vector<ForcedEdge> known_;  // sessions that bind some, timeline, versions of lists, forced
  Adjacency predecessors_;         // of known_, if there are any
};

/// The present transactions in order of precedence. Requires that each component is one vertex.
[[nodiscard]] std::vector<std::uint32_t> present_in_order(const Observations& seen,
                                                          const Components& components);

}  // namespace elapid
