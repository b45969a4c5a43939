// A directed graph with labelled edges in compressed rows: immutable, 5 bytes an edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/edge_label.h"

namespace elapid {

struct LabelledEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  EdgeLabel label = 0;
};

class Digraph {
 public:
  Digraph() = default;
  /// Vertices 0 .. vertex_count - 1. Parallel edges become one with all their labels; self loops
  /// stay. Rows are sorted by target. O(vertices + edges log degree).
  Digraph(std::size_t vertex_count, std::span<const LabelledEdge> edges);

  [[nodiscard]] std::uint32_t vertex_count() const {
    return static_cast<std::uint32_t>(begin_.size() - 1);
  }

  [[nodiscard]] std::size_t edge_count() const { return targets_.size(); }

  [[nodiscard]] std::uint32_t row_begin(std::uint32_t vertex) const { return begin_[vertex]; }

  [[nodiscard]] std::uint32_t row_end(std::uint32_t vertex) const { return begin_[vertex + 1]; }

  [[nodiscard]] std::uint32_t target(std::uint32_t edge) const { return targets_[edge]; }

  [[nodiscard]] EdgeLabel label(std::uint32_t edge) const { return labels_[edge]; }

  /// The labels on the edge from -> to; 0 if there is none. O(log degree).
  [[nodiscard]] EdgeLabel label_between(std::uint32_t from, std::uint32_t to) const;

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> targets_;
  std::vector<EdgeLabel> labels_;
};

}  // namespace elapid
