// Reachability in a growing acyclic graph, by chains: O(1) a question, chains x vertices of
// memory.
//
// The vertices are divided into chains, which are paths of the graph. Each vertex stores, for each
// chain, the last member that leads to it and the first member to which it leads. Example: with the
// chain 0 -> 1 -> 2 and the edges 0 -> 3 and 3 -> 2, vertex 3 stores vertex 0 as the last that
// leads to 3, and vertex 2 as the first to which 3 leads. So 3 reaches 2 and not 1, and 1 does not
// reach 3: no search is needed.
//
// Jagadish, "A compression technique to materialize transitive closure" (TODS 15(4), 1990).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"

namespace elapid {

/// Each vertex's chain and place in it.
struct Chains {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t count = 0;
  std::vector<std::uint32_t> chain;     ///< by vertex; kNone: left out, callers must not ask
  std::vector<std::uint32_t> position;  ///< by vertex
};

/// Covers the vertices in `order` with paths, greedily: there may be fewer paths that do so.
/// `order` is a topological order of some vertices of an acyclic graph. Linear.
[[nodiscard]] Chains cover_with_chains(const Adjacency& successors,
                                       std::span<const std::uint32_t> order);

class ChainClocks {
 public:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  explicit ChainClocks(Chains chains);

  [[nodiscard]] const Chains& chains() const { return chains_; }

  /// For each chain: one more than the position of its last vertex that leads to `vertex`, itself
  /// included; 0 if none does.
  [[nodiscard]] std::span<const std::uint32_t> before(std::uint32_t vertex) const {
    return std::span(before_).subspan(vertex * stride(), stride());
  }

  /// For each chain: the position of its first vertex to which `vertex` leads, itself included;
  /// kNever if there is none.
  [[nodiscard]] std::span<const std::uint32_t> after(std::uint32_t vertex) const {
    return std::span(after_).subspan(vertex * stride(), stride());
  }

  /// Whether a path leads from `from` to `to` (or they are the same).
  [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const {
    return before_[to * stride() + chains_.chain[from]] > chains_.position[from];
  }

  /// Adds an edge: to its ends at once, to all other vertices with the next update().
  void note(std::uint32_t from, std::uint32_t to);

  /// Updates all clocks, and notes the vertices that changed since the last call. `successors` has
  /// every added edge; `order` is a topological order of it. Calls `keep_going` now and then. If
  /// that returns false, update() does too, and the clocks must not be used any more.
  [[nodiscard]] bool update(const Adjacency& successors, std::span<const std::uint32_t> order,
                            const std::function<bool()>& keep_going = {});

  [[nodiscard]] bool changed_before(std::uint32_t vertex) const { return changed_before_[vertex]; }

  [[nodiscard]] bool changed_after(std::uint32_t vertex) const { return changed_after_[vertex]; }

 private:
  [[nodiscard]] std::size_t stride() const { return chains_.count; }

  Chains chains_;
  std::vector<std::uint32_t> before_;  // vertices x chains
  std::vector<std::uint32_t> after_;
  std::vector<bool> changed_before_;
  std::vector<bool> changed_after_;
  std::vector<bool> noted_before_;  // since the last update
  std::vector<bool> noted_after_;
  std::vector<bool> has_new_edge_;
  bool is_fresh_ = true;
};

}  // namespace elapid
