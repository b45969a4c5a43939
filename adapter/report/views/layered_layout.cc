#include "adapter/report/views/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "adapter/report/views/cycle_breaking.h"
#include "adapter/report/views/layer_order.h"
#include "adapter/report/views/spread.h"

namespace elapid {
namespace {

constexpr double kNodeGap = 30;     // between cards of a layer
constexpr double kLaneHeight = 26;  // of an edge that passes a layer
constexpr double kLayerGap = 60;    // between layers, beside the labels
constexpr double kLoop = 40;        // how far an edge from a node to itself goes out
constexpr double kPartSpace = 30;   // between parts that no edge joins
constexpr double kRowWidth = 720;   // of single nodes, at least
constexpr int kHeightPasses = 10;

/// The point where an edge meets a row.
struct Port {
  std::size_t node = 0;
  std::size_t row = 0;
  bool is_right = true;
  double y = 0;  // from the top of the node
};

/// An edge, directed from left to right.
struct Link {
  std::size_t edge = 0;
  bool is_reversed = false;
  Port left = {};                       // on the right side of the left node
  Port right = {};                      // on the left side of the right node
  std::vector<std::size_t> lanes = {};  // items in the layers between
  bool is_loop = false;
};

/// Lays out one connected part.
class PartLayout {
 public:
  PartLayout(std::vector<LayoutNode> nodes, std::vector<LayoutEdge> edges)
      : nodes_(std::move(nodes)), edges_(std::move(edges)), item_layer_(nodes_.size()) {}

  Layout run() {
    make_links();
    assign_layers();
    add_lanes();
    size_nodes();
    order_layers();
    place_heights();
    sort_ports();
    place_heights();
    place_layers();
    return result();
  }

 private:
  [[nodiscard]] bool is_lane(std::size_t item) const { return item >= nodes_.size(); }

  void make_links() {
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    for (const LayoutEdge& edge : edges_) {
      ends.emplace_back(edge.from, edge.to);
    }
    const std::vector<bool> reversed = edges_to_reverse(nodes_.size(), ends);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const LayoutEdge& edge = edges_[e];
      Link link = {.edge = e, .is_reversed = reversed[e], .is_loop = edge.from == edge.to};
      link.left = {edge.from, edge.from_row, true};
      link.right = {edge.to, edge.to_row, link.is_loop};
      if (link.is_reversed) {
        std::swap(link.left, link.right);
        std::swap(link.left.is_right, link.right.is_right);
      }
      links_.push_back(link);
    }
  }

  /// Places each node behind its longest path from a source. A source then moves next to its
  /// successor.
  void assign_layers() {
    for (std::size_t pass = 0; pass < nodes_.size(); ++pass) {
      bool is_changed = false;
      for (const Link& link : links_) {
        std::size_t& layer = item_layer_[link.right.node];
        if (!link.is_loop && layer <= item_layer_[link.left.node]) {
          layer = item_layer_[link.left.node] + 1;
          is_changed = true;
        }
      }
      if (!is_changed) {
        break;
      }
    }
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      std::size_t next = item_layer_.size() + edges_.size();
      const std::size_t none = next;
      bool is_source = true;
      for (const Link& link : links_) {
        is_source = is_source && (link.is_loop || link.right.node != node);
        if (!link.is_loop && link.left.node == node) {
          next = std::min(next, item_layer_[link.right.node]);
        }
      }
      if (is_source && next != none) {
        item_layer_[node] = next - 1;
      }
    }
  }

  void add_lanes() {
    for (Link& link : links_) {
      if (link.is_loop) {
        continue;
      }
      for (std::size_t l = item_layer_[link.left.node] + 1; l < item_layer_[link.right.node]; ++l) {
        link.lanes.push_back(item_layer_.size());
        item_layer_.push_back(l);
      }
    }
  }

  template <class Visit>
  void each_port(Visit visit) {
    for (Link& link : links_) {
      visit(link.left, link);
      visit(link.right, link);
    }
  }

  /// Sets the heights of nodes: rows grow with the edges on either side.
  void size_nodes() {
    placed_.nodes.resize(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      PlacedNode& node = placed_.nodes[n];
      node.width = nodes_[n].width;
      for (std::size_t r = 0; r < nodes_[n].rows.size(); ++r) {
        const std::size_t most = std::max(ports_at(n, r, false), ports_at(n, r, true));
        const double height = std::max(nodes_[n].rows[r], kEdgeSpace * static_cast<double>(most));
        node.rows.push_back({node.height, height});
        node.height += height;
      }
    }
    spread_ports();
  }

  std::size_t ports_at(std::size_t node, std::size_t row, bool is_right) {
    std::size_t count = 0;
    each_port([&](const Port& port, const Link&) {
      count += port.node == node && port.row == row && port.is_right == is_right ? 1 : 0;
    });
    return count;
  }

  /// Spreads the ports on each side of a row, in the order of links_.
  void spread_ports() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (std::size_t r = 0; r < nodes_[n].rows.size(); ++r) {
        for (const bool is_right : {false, true}) {
          const PlacedRow row = placed_.nodes[n].rows[r];
          const auto count = static_cast<double>(ports_at(n, r, is_right));
          double y = row.top + row.height / 2 - kEdgeSpace * (count - 1) / 2;
          each_port([&](Port& port, const Link&) {
            if (port.node == n && port.row == r && port.is_right == is_right) {
              port.y = std::exchange(y, y + kEdgeSpace);
            }
          });
        }
      }
    }
  }

  void order_layers() {
    layers_.resize(1 + *std::ranges::max_element(item_layer_));
    for (std::size_t item = 0; item < item_layer_.size(); ++item) {
      layers_[item_layer_[item]].push_back(item);
    }
    // Edges on one side of a row are not counted as crossing: sort_ports() sorts them later.
    std::vector<LayerEdge> edges;
    each_segment([&](std::size_t a, double a_y, std::size_t b, double b_y) {
      edges.push_back({a, b, row_middle(a, a_y) / height(a), row_middle(b, b_y) / height(b)});
    });
    layers_ = with_few_crossings(std::move(layers_), edges);
  }

  [[nodiscard]] double row_middle(std::size_t item, double y) const {
    if (!is_lane(item)) {
      for (const PlacedRow& row : placed_.nodes[item].rows) {
        if (y < row.top + row.height) {
          return row.top + row.height / 2;
        }
      }
    }
    return y;
  }

  /// Visits the parts of links between neighbouring layers, with the heights at which they meet
  /// items.
  template <class Visit>
  void each_segment(Visit visit) const {
    for (const Link& link : links_) {
      if (link.is_loop) {
        continue;
      }
      std::size_t item = link.left.node;
      double y = link.left.y;
      for (const std::size_t lane : link.lanes) {
        visit(item, y, lane, kLaneHeight / 2);
        item = lane;
        y = kLaneHeight / 2;
      }
      visit(item, y, link.right.node, link.right.y);
    }
  }

  [[nodiscard]] double height(std::size_t item) const {
    return is_lane(item) ? kLaneHeight : placed_.nodes[item].height;
  }

  /// Moves the items of each layer towards their neighbours: in the layer before, then in the layer
  /// after, and at last in both.
  void place_heights() {
    item_y_.resize(item_layer_.size());
    for (int pass = 0; pass < kHeightPasses; ++pass) {
      const bool is_forward = pass % 2 == 0;
      const bool is_last = pass + 4 >= kHeightPasses;
      for (std::size_t i = 0; i < layers_.size(); ++i) {
        const std::size_t l = is_forward ? i : layers_.size() - 1 - i;
        place_layer(l, is_forward || is_last, !is_forward || is_last);
      }
    }
    const double top = *std::ranges::min_element(item_y_);
    for (double& y : item_y_) {
      y = std::round(y - top);
    }
  }

  void place_layer(std::size_t layer, bool by_before, bool by_after) {
    std::vector<double> sum(item_layer_.size());
    std::vector<double> count(item_layer_.size());
    each_segment([&](std::size_t a, double a_y, std::size_t b, double b_y) {
      if (by_before && item_layer_[b] == layer) {
        sum[b] += item_y_[a] + a_y - b_y;
        ++count[b];
      }
      if (by_after && item_layer_[a] == layer) {
        sum[a] += item_y_[b] + b_y - a_y;
        ++count[a];
      }
    });
    std::vector<SpreadItem> items;
    for (const std::size_t item : layers_[layer]) {
      items.push_back({.wish = count[item] > 0 ? sum[item] / count[item] : item_y_[item],
                       .weight = is_lane(item) ? 0.25 : 1,
                       .size = height(item) + kNodeGap});
    }
    const std::vector<double> places = spread(items);
    for (std::size_t i = 0; i < places.size(); ++i) {
      item_y_[layers_[layer][i]] = places[i];
    }
  }

  /// Sorts the ports on each side of a row: an edge that leads higher begins higher.
  void sort_ports() {
    const auto other_end = [this](const Port& port, const Link& link) {
      const bool is_left = &port == &link.left;
      if (!link.lanes.empty()) {
        return item_y_[is_left ? link.lanes.front() : link.lanes.back()] + kLaneHeight / 2;
      }
      const Port& other = is_left ? link.right : link.left;
      return item_y_[other.node] + other.y;
    };
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (std::size_t r = 0; r < nodes_[n].rows.size(); ++r) {
        for (const bool is_right : {false, true}) {
          std::vector<std::pair<double, Port*>> ports;
          std::vector<double> places;
          each_port([&](Port& port, const Link& link) {
            if (port.node == n && port.row == r && port.is_right == is_right) {
              ports.emplace_back(other_end(port, link), &port);
              places.push_back(port.y);
            }
          });
          std::ranges::stable_sort(ports, {}, &std::pair<double, Port*>::first);
          for (std::size_t i = 0; i < ports.size(); ++i) {
            ports[i].second->y = places[i];
          }
        }
      }
    }
  }

  /// Places the layers. Cards of a layer have one width; between layers there is room for labels.
  void place_layers() {
    double x = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      x += l == 0 ? 0 : label_room(l - 1, true) + kLayerGap + label_room(l, false);
      double width = 0;
      for (const std::size_t item : layers_[l]) {
        width = is_lane(item) ? width : std::max(width, nodes_[item].width);
      }
      layer_x_.push_back(x);
      x += width;
      layer_end_.push_back(x);
    }
    placed_.width = x + loop_room();
  }

  /// The width of the longest label on this side of a layer.
  [[nodiscard]] double label_room(std::size_t layer, bool is_right) const {
    double room = 0;
    for (const Link& link : links_) {
      const Port& start = link.is_reversed ? link.right : link.left;
      const bool is_there = !link.is_loop && item_layer_[start.node] == layer &&
                            start.is_right == is_right && edges_[link.edge].label > 0;
      room = is_there ? std::max(room, kLabelGap + edges_[link.edge].label) : room;
    }
    return std::max(room, layer + 1 < layers_.size() && is_right ? loop_room(layer) : 0);
  }

  [[nodiscard]] double loop_room(std::size_t layer) const {
    double room = 0;
    for (const Link& link : links_) {
      const bool is_there = link.is_loop && item_layer_[link.left.node] == layer;
      room = is_there ? std::max(room, kLabelGap + edges_[link.edge].label + kLoop) : room;
    }
    return room;
  }

  [[nodiscard]] double loop_room() const { return loop_room(layers_.size() - 1); }

  Layout result() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      PlacedNode& node = placed_.nodes[n];
      node.x = layer_x_[item_layer_[n]];
      node.width = layer_end_[item_layer_[n]] - node.x;
      node.y = item_y_[n];
    }
    for (std::size_t item = 0; item < item_y_.size(); ++item) {
      placed_.height = std::max(placed_.height, item_y_[item] + height(item));
    }
    for (const Link& link : links_) {
      placed_.edges.push_back(route(link));
    }
    return std::move(placed_);
  }

  [[nodiscard]] LayoutPoint at(const Port& port) const {
    const PlacedNode& node = placed_.nodes[port.node];
    return {port.is_right ? node.x + node.width : node.x, node.y + port.y};
  }

  [[nodiscard]] PlacedEdge route(const Link& link) const {
    PlacedEdge edge;
    edge.points.push_back(at(link.left));
    for (const std::size_t lane : link.lanes) {
      const double y = item_y_[lane] + kLaneHeight / 2;
      edge.points.push_back({layer_x_[item_layer_[lane]], y});
      edge.points.push_back({layer_end_[item_layer_[lane]], y});
    }
    edge.points.push_back(at(link.right));
    if (link.is_reversed) {
      std::ranges::reverse(edge.points);
    }
    edge.leaves_right = link.is_loop || !link.is_reversed;
    edge.arrives_left = !link.is_loop && !link.is_reversed;
    const LayoutPoint start = edge.points.front();
    edge.label = {
        edge.leaves_right ? start.x + kLabelGap : start.x - kLabelGap - edges_[link.edge].label,
        start.y};
    return edge;
  }

  std::vector<LayoutNode> nodes_;
  std::vector<LayoutEdge> edges_;
  std::vector<Link> links_ = {};
  std::vector<std::size_t> item_layer_;  // by item: nodes, then lanes
  std::vector<double> item_y_ = {};      // also by item
  Layers layers_ = {};
  std::vector<double> layer_x_ = {};
  std::vector<double> layer_end_ = {};
  Layout placed_ = {};
};

/// The first node that a path joins to each node.
std::vector<std::size_t> parts_of(std::size_t nodes, const std::vector<LayoutEdge>& edges) {
  std::vector<std::size_t> part(nodes);
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const LayoutEdge& edge : edges) {
      const std::size_t least = std::min(part[edge.from], part[edge.to]);
      is_changed = is_changed || part[edge.from] != least || part[edge.to] != least;
      part[edge.from] = part[edge.to] = least;
    }
  }
  return part;
}

void move(PlacedNode& node, double x, double y) {
  node.x += x;
  node.y += y;
}

void move(PlacedEdge& edge, double y) {
  for (LayoutPoint& point : edge.points) {
    point.y += y;
  }
  edge.label.y += y;
}

}  // namespace

Layout layered_layout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges) {
  Layout whole;
  whole.nodes.resize(nodes.size());
  whole.edges.resize(edges.size());
  const std::vector<std::size_t> part = parts_of(nodes.size(), edges);
  std::vector<std::size_t> single;
  for (std::size_t first = 0; first < nodes.size(); ++first) {
    std::vector<std::size_t> members;
    for (std::size_t n = first; n < nodes.size() && part[first] == first; ++n) {
      if (part[n] == first) {
        members.push_back(n);
      }
    }
    std::vector<LayoutNode> part_nodes;
    std::vector<LayoutEdge> part_edges;
    std::vector<std::size_t> edge_numbers;
    for (const std::size_t n : members) {
      part_nodes.push_back(nodes[n]);
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (!members.empty() && part[edges[e].from] == first) {
        LayoutEdge& edge = part_edges.emplace_back(edges[e]);
        edge.from =
            static_cast<std::size_t>(std::ranges::find(members, edge.from) - members.begin());
        edge.to = static_cast<std::size_t>(std::ranges::find(members, edge.to) - members.begin());
        edge_numbers.push_back(e);
      }
    }
    if (members.size() == 1 && part_edges.empty()) {
      single.push_back(first);
    }
    if (part_edges.empty()) {
      continue;
    }
    Layout laid = PartLayout(std::move(part_nodes), std::move(part_edges)).run();
    const double y = whole.height > 0 ? whole.height + kPartSpace : 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      move(laid.nodes[i], 0, y);
      whole.nodes[members[i]] = std::move(laid.nodes[i]);
    }
    for (std::size_t i = 0; i < edge_numbers.size(); ++i) {
      move(laid.edges[i], y);
      whole.edges[edge_numbers[i]] = std::move(laid.edges[i]);
    }
    whole.width = std::max(whole.width, laid.width);
    whole.height = y + laid.height;
  }
  // Nodes without edges stand side by side.
  const double row_width = std::max(whole.width, kRowWidth);
  double x = 0;
  double y = whole.height > 0 ? whole.height + kPartSpace : 0;
  for (const std::size_t n : single) {
    PlacedNode node = PartLayout({nodes[n]}, {}).run().nodes.front();
    if (x > 0 && x + node.width > row_width) {
      x = 0;
      y = whole.height + kPartSpace;
    }
    move(node, x, y);
    x += node.width + kPartSpace;
    whole.width = std::max(whole.width, node.x + node.width);
    whole.height = std::max(whole.height, node.y + node.height);
    whole.nodes[n] = std::move(node);
  }
  return whole;
}

}  // namespace elapid
