// The order of items within layers, such that few edges between neighbouring layers cross.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

/// From an item of one layer to one of the next. The heights, from 0 to 1, tell where on the items
/// it begins and ends.
struct LayerEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_height = 0.5;
  double to_height = 0.5;
};

/// By layer, its items in order.
using Layers = std::vector<std::vector<std::size_t>>;

/// How many pairs of edges cross.
[[nodiscard]] std::size_t crossings(const Layers& layers, const std::vector<LayerEdge>& edges);

/// The best of the orders that a fixed number of passes come to: by the median of neighbours, then
/// by exchanging neighbours within a layer (Gansner and others 1993, section 3).
[[nodiscard]] Layers with_few_crossings(Layers layers, const std::vector<LayerEdge>& edges);

}  // namespace elapid
