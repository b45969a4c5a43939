// An order of items within layers, with few crossings of edges between neighbouring layers.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

/// An edge from an item of one layer to an item of the next. The heights, from 0 to 1, are the
/// places on the items where it begins and ends.
struct LayerEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_height = 0.5;
  double to_height = 0.5;
};

/// By layer, its items in order.
using Layers = std::vector<std::vector<std::size_t>>;

/// The number of pairs of edges that cross.
[[nodiscard]] std::size_t crossings(const Layers& layers, const std::vector<LayerEdge>& edges);

/// The best order of a fixed number of passes: by the median of neighbours, then by exchanging
/// neighbours within a layer (Gansner and others 1993, section 3).
[[nodiscard]] Layers with_few_crossings(Layers layers, const std::vector<LayerEdge>& edges);

}  // namespace elapid
