#include "adapter/report/views/layered_layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "adapter/report/views/cycle_breaking.h"
#include "adapter/report/views/layer_order.h"

namespace elapid {
namespace {

LayoutNode card() {
  return {.width = 100, .rows = {40, 24, 24}};
}

bool overlap(const PlacedNode& a, const PlacedNode& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// That every edge begins and ends on a side of its row, and no two nodes meet.
void check_layout(const std::vector<LayoutEdge>& edges, const Layout& layout) {
  for (std::size_t a = 0; a < layout.nodes.size(); ++a) {
    const PlacedNode& node = layout.nodes[a];
    const bool is_within = node.x >= 0 && node.y >= 0 && node.x + node.width <= layout.width &&
                           node.y + node.height <= layout.height;
    CHECK(is_within);
    CHECK(std::none_of(layout.nodes.begin() + static_cast<std::ptrdiff_t>(a) + 1,
                       layout.nodes.end(),
                       [&](const PlacedNode& other) { return overlap(node, other); }));
  }
  std::vector<LayoutPoint> ends;
  const auto check_end = [&](LayoutPoint point, const PlacedNode& node, std::size_t row,
                             bool is_right) {
    const double top = node.y + node.rows[row].top;
    const bool is_at_row = point.x == (is_right ? node.x + node.width : node.x) && point.y > top &&
                           point.y < top + node.rows[row].height;
    CHECK(is_at_row);
    CHECK(std::ranges::find(ends, point) == ends.end());
    ends.push_back(point);
  };
  REQUIRE(layout.edges.size() == edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const PlacedEdge& placed = layout.edges[e];
    REQUIRE(placed.points.size() % 2 == 0);
    check_end(placed.points.front(), layout.nodes[edges[e].from], edges[e].from_row,
              placed.leaves_right);
    check_end(placed.points.back(), layout.nodes[edges[e].to], edges[e].to_row,
              !placed.arrives_left);
    CHECK(std::ranges::all_of(placed.points, [](LayoutPoint point) {
      return std::isfinite(point.x) && std::isfinite(point.y);
    }));
  }
}

TEST_CASE("two transactions in a cycle face one another") {
  const std::vector<LayoutEdge> edges = {{.from = 0, .to = 1, .from_row = 1, .to_row = 2},
                                         {.from = 1, .to = 0, .from_row = 1, .to_row = 2}};
  const Layout layout = layered_layout({card(), card()}, edges);
  check_layout(edges, layout);
  CHECK(layout.nodes[0].y == layout.nodes[1].y);
  CHECK(layout.nodes[0].x < layout.nodes[1].x);
  CHECK(layout.edges[0].leaves_right);
  CHECK_FALSE(layout.edges[1].leaves_right);
}

TEST_CASE("four transactions in a cycle are drawn as a loop") {
  const std::vector<LayoutEdge> edges = {
      {.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 3}, {.from = 3, .to = 0}};
  const Layout layout = layered_layout({card(), card(), card(), card()}, edges);
  check_layout(edges, layout);
  CHECK(layout.nodes[1].x == layout.nodes[3].x);
  CHECK(layout.nodes[1].x < layout.nodes[2].x);
}

TEST_CASE("an edge that passes a layer goes past its cards") {
  const std::vector<LayoutEdge> edges = {
      {.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 0}};
  const Layout layout = layered_layout({card(), card(), card()}, edges);
  check_layout(edges, layout);
  const PlacedEdge& back = layout.edges[2];
  REQUIRE(back.points.size() == 4);
  CHECK(back.points[1].y == back.points[2].y);
  const PlacedNode& middle = layout.nodes[1];
  CHECK((back.points[1].y < middle.y || back.points[1].y > middle.y + middle.height));
}

TEST_CASE("many edges of one row widen it") {
  const std::vector<LayoutEdge> edges = {{.from = 0, .to = 1, .from_row = 1, .to_row = 1},
                                         {.from = 0, .to = 2, .from_row = 1, .to_row = 1},
                                         {.from = 0, .to = 3, .from_row = 1, .to_row = 1}};
  const Layout layout = layered_layout({card(), card(), card(), card()}, edges);
  check_layout(edges, layout);
  CHECK(layout.nodes[0].rows[1].height == 3 * kEdgeSpace);
}

TEST_CASE("graphs without cycles lose no edge to breaking them") {
  CHECK(edges_to_reverse(4, {{0, 1}, {1, 2}, {0, 2}, {3, 2}}) == std::vector<bool>(4, false));
  CHECK(edges_to_reverse(3, {{0, 1}, {1, 2}, {2, 0}}) == std::vector<bool>{false, false, true});
  CHECK(edges_to_reverse(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}) ==
        std::vector<bool>{false, false, true, true});
}

TEST_CASE("crossings that need not be are undone") {
  const Layers layers = {{0, 1}, {2, 3}};
  const std::vector<LayerEdge> edges = {{.from = 0, .to = 3}, {.from = 1, .to = 2}};
  CHECK(crossings(layers, edges) == 1);
  CHECK(crossings(with_few_crossings(layers, edges), edges) == 0);
}

TEST_CASE("random graphs are drawn without overlaps, and twice alike") {
  std::mt19937_64 random(19);
  for (int round = 0; round < 60; ++round) {
    const std::size_t count = 1 + random() % (round % 10 == 0 ? 60 : 9);
    std::vector<LayoutNode> nodes;
    for (std::size_t i = 0; i < count; ++i) {
      nodes.push_back({.width = 80 + static_cast<double>(random() % 200),
                       .rows = std::vector<double>(1 + random() % 4, 24)});
    }
    std::vector<LayoutEdge> edges;
    for (std::size_t i = random() % (2 * count); i-- > 0;) {
      LayoutEdge edge = {.from = random() % count, .to = random() % count};
      edge.from_row = random() % nodes[edge.from].rows.size();
      edge.to_row = random() % nodes[edge.to].rows.size();
      edge.label = static_cast<double>(random() % 100);
      edges.push_back(edge);
    }
    const Layout layout = layered_layout(nodes, edges);
    check_layout(edges, layout);
    const Layout again = layered_layout(nodes, edges);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      CHECK(layout.edges[e].points == again.edges[e].points);
    }
  }
}

}  // namespace
}  // namespace elapid
