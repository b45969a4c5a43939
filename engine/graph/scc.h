// Strongly connected components by Tarjan's algorithm, iterative ("Depth-first search and linear
// graph algorithms", SIAM J. Comput. 1(2), 1972). O(vertices + edges), 16 bytes a vertex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/graph/digraph.h"

namespace elapid {

/// The component of each vertex. Components are numbered in reverse topological order: every edge
/// between components leads from a higher number to a lower one.
struct Components {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;

  /// Members of every component with at least `least` vertices, each ascending, ordered by first
  /// member.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups(std::size_t least = 2) const;
};

namespace internal {

/// The state of one depth-first search.
template <class Successors>
class Tarjan {
 public:
  Tarjan(std::uint32_t vertex_count, const Successors& successors)
      : successors_(successors), low_(vertex_count, kUnseen), cursor_(vertex_count, 0) {
    result_.of.assign(vertex_count, kUnseen);
  }

  Components run() && {
    for (std::uint32_t v = 0; v < low_.size(); ++v) {
      if (low_[v] == kUnseen) {
        search(v);
      }
    }
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xffffffffU;

  struct Frame {
    std::uint32_t vertex;
    std::uint32_t index;
  };

  void enter(std::uint32_t v) {
    low_[v] = next_index_;
    path_.push_back({v, next_index_++});
    open_.push_back(v);
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::uint32_t v = path_.back().vertex;
      std::uint32_t to = 0;
      if (!successors_.next(v, cursor_[v], to)) {
        leave();
      } else if (to < root) {
        continue;  // in a closed component, as all that come before a root
      } else if (low_[to] == kUnseen) {
        enter(to);
      } else if (result_.of[to] == kUnseen) {
        low_[v] = std::min(low_[v], low_[to]);
      }
    }
  }

  void leave() {
    const Frame done = path_.back();
    path_.pop_back();
    if (low_[done.vertex] == done.index) {
      close(done.vertex);
    }
    if (!path_.empty()) {
      const std::uint32_t parent = path_.back().vertex;
      low_[parent] = std::min(low_[parent], low_[done.vertex]);
    }
  }

  void close(std::uint32_t root) {
    std::uint32_t v = 0;
    do {
      v = open_.back();
      open_.pop_back();
      result_.of[v] = result_.count;
    } while (v != root);
    ++result_.count;
  }

  const Successors& successors_;
  Components result_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> cursor_;
  std::vector<Frame> path_;
  std::vector<std::uint32_t> open_;
  std::uint32_t next_index_ = 0;
};

}  // namespace internal

/// Components of any graph. `successors.next(vertex, cursor, to)` gives the next successor in `to`,
/// or returns false if none is left. `cursor` is a counter of `successors`, which starts at 0.
template <class Successors>
Components strong_components(std::uint32_t vertex_count, const Successors& successors) {
  return internal::Tarjan<Successors>(vertex_count, successors).run();
}

/// The edges of a Digraph that carry any of the labels in `mask`.
class MaskedSuccessors {
 public:
  MaskedSuccessors(const Digraph& graph, EdgeLabel mask) : graph_(graph), mask_(mask) {}

  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const {
    for (std::uint32_t edge = graph_.row_begin(vertex) + cursor; edge < graph_.row_end(vertex);
         ++edge) {
      ++cursor;
      if ((graph_.label(edge) & mask_) != 0) {
        to = graph_.target(edge);
        return true;
      }
    }
    return false;
  }

 private:
  const Digraph& graph_;
  EdgeLabel mask_;
};

}  // namespace elapid
