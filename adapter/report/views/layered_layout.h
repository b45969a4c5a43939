// Places for the nodes and edges of a small graph, in layers from left to right.
//
// Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures"
// (IEEE Transactions on Systems, Man and Cybernetics 11, 1981), with medians and their weights of
// Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs" (IEEE Transactions
// on Software Engineering 19, 1993). Cycles are broken; nodes get layers; edges that pass layers
// get places there; a fixed number of passes improves the orders within layers by medians; heights
// make edges nearly level. A node is a card of rows, and an edge joins two rows: ends of different
// edges never meet. A reversed edge runs from right to left.
//
// Deterministic. Quadratic in nodes and edges together, and in the edges between two layers.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

/// Sizes are in pixels.
struct LayoutNode {
  double width = 0;
  std::vector<double> rows = {};  ///< least heights, from the top; at least one
};

struct LayoutEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t from_row = 0;
  std::size_t to_row = 0;
  double label = 0;  ///< width of the label at the edge's beginning
};

struct LayoutPoint {
  double x = 0;
  double y = 0;
  friend bool operator==(LayoutPoint, LayoutPoint) = default;
};

struct PlacedRow {
  double top = 0;
  double height = 0;
};

struct PlacedNode {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  std::vector<PlacedRow> rows = {};
};

/// The edge begins at the first point, on a side of its row, and ends at the last. It is a curve
/// from the first to the second, a line to the third, a curve to the fourth, and so on. It is level
/// at all these points.
struct PlacedEdge {
  std::vector<LayoutPoint> points = {};
  bool leaves_right = true;  ///< of its first node; the label is there
  bool arrives_left = true;  ///< of its last node
  LayoutPoint label = {};    ///< the middle of the label's left edge
};

struct Layout {
  std::vector<PlacedNode> nodes = {};
  std::vector<PlacedEdge> edges = {};
  double width = 0;
  double height = 0;
};

inline constexpr double kEdgeSpace = 20;  ///< between ends of edges on one side of a row
inline constexpr double kLabelGap = 10;   ///< between a node and the label of an edge

/// The layout covers (0, 0) to (width, height). Nodes that no path joins are below one another.
[[nodiscard]] Layout layered_layout(const std::vector<LayoutNode>& nodes,
                                    const std::vector<LayoutEdge>& edges);

}  // namespace elapid
