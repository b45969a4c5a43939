// Small random graphs, the same everywhere.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "engine/graph/digraph.h"

namespace elapid {

struct RandomGraph {
  std::uint32_t vertices = 0;
  std::vector<LabelledEdge> edges = {};

  [[nodiscard]] Digraph digraph() const { return Digraph(vertices, edges); }
};

/// Up to `most_edges` edges between up to `most_vertices` vertices, each with one of `labels`;
/// parallel edges are likely, self loops are not made.
inline RandomGraph random_graph(std::uint32_t seed, std::uint32_t most_vertices,
                                std::uint32_t most_edges, const std::vector<EdgeLabel>& labels) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  RandomGraph graph{.vertices = 2 + below(most_vertices - 1)};
  for (std::uint32_t edges = below(most_edges + 1); edges > 0; --edges) {
    const std::uint32_t from = below(graph.vertices);
    const std::uint32_t to = (from + 1 + below(graph.vertices - 1)) % graph.vertices;
    graph.edges.push_back({from, to, labels[below(static_cast<std::uint32_t>(labels.size()))]});
  }
  return graph;
}

/// By vertex and vertex: whether edges with a label in `mask` lead from the first to the second
/// (Warshall). A vertex reaches itself.
inline std::vector<std::vector<bool>> closure(const RandomGraph& graph, EdgeLabel mask) {
  std::vector<std::vector<bool>> reaches(graph.vertices, std::vector<bool>(graph.vertices, false));
  for (std::uint32_t v = 0; v < graph.vertices; ++v) {
    reaches[v][v] = true;
  }
  for (const LabelledEdge& edge : graph.edges) {
    if ((edge.label & mask) != 0) {
      reaches[edge.from][edge.to] = true;
    }
  }
  for (std::uint32_t via = 0; via < graph.vertices; ++via) {
    for (std::uint32_t from = 0; from < graph.vertices; ++from) {
      for (std::uint32_t to = 0; to < graph.vertices; ++to) {
        if (reaches[from][via] && reaches[via][to]) {
          reaches[from][to] = true;
        }
      }
    }
  }
  return reaches;
}

}  // namespace elapid
