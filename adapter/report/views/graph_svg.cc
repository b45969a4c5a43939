// The graph of an exhibit as an SVG picture, and its parts.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/views/graph_parts.h"
#include "adapter/report/views/layered_layout.h"
#include "adapter/report/views/svg_text.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

// All sizes are in pixels.
constexpr double kMargin = 16;
constexpr double kPad = 14;
constexpr double kHeader = 46;
constexpr double kRow = 24;
constexpr double kGapRow = 20;
constexpr double kFoot = 8;
constexpr double kTitle = 30;
constexpr double kPartGap = 22;
constexpr double kHead = 9;   // of arrows
constexpr double kPill = 18;  // height of labels
constexpr double kLegendLine = 20;
constexpr std::size_t kOpColumns = 44;
constexpr std::size_t kPlaceColumns = 48;
constexpr std::size_t kMaxParts = 24;

/// A card: a transaction, or the transactions that are left out.
struct Card {
  LayoutNode node = {};
  std::vector<std::size_t> op_rows = {};  // by operation
};

class GraphPicture {
 public:
  explicit GraphPicture(const Exhibit& exhibit) : exhibit_(exhibit) {}

  std::string draw() {
    const std::vector<GraphPart> parts = graph_parts(exhibit_);
    for (std::size_t i = 0; i < parts.size() && i < kMaxParts; ++i) {
      y_ += i == 0 ? 0 : kPartGap;
      add_part(parts[i]);
    }
    if (parts.size() > kMaxParts) {
      y_ += kPartGap;
      add_line(fmt::format("… and {} more parts of the proof", parts.size() - kMaxParts));
    }
    add_legend(parts);
    return svg_start(exhibit_, "graph", width_ + 2 * kMargin, y_ + kMargin) + body_ + "</svg>\n";
  }

 private:
  void add_line(std::string_view text) {
    const std::string line = fitted(text, 110);
    body_ += fmt::format("<text class=\"v-title\" x=\"{}\" y=\"{}\">{}</text>\n", number(kMargin),
                         number(y_ + 17), html(line));
    width_ = std::max(width_, static_cast<double>(columns(line)) * kBoldWidth);
    y_ += kTitle;
  }

  void add_part(const GraphPart& part) {
    if (!part.title.empty()) {
      add_line(part.title);
    }
    std::vector<Card> cards;
    std::vector<LayoutNode> nodes;
    for (const GraphNode& node : part.nodes) {
      cards.push_back(node.left_out > 0 ? card_of_many() : card_of(exhibit_.txns[node.txn]));
      nodes.push_back(cards.back().node);
    }
    std::vector<LayoutEdge> edges;
    for (const GraphEdge& edge : part.edges) {
      const auto row = [&](std::size_t node, std::optional<std::size_t> op) {
        return op && part.nodes[node].left_out == 0 ? cards[node].op_rows[*op] : 0;
      };
      edges.push_back({.from = edge.from,
                       .to = edge.to,
                       .from_row = row(edge.from, edge.shown->from_op),
                       .to_row = row(edge.to, edge.shown->to_op),
                       .label = pill_width(*edge.shown)});
    }
    const Layout layout = layered_layout(nodes, edges);
    body_ += fmt::format("<g transform=\"translate({} {})\">\n", number(kMargin), number(y_));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      add_edge(part.edges[e], layout.edges[e], edges[e].label);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (part.nodes[n].left_out > 0) {
        add_card_of_many(part.nodes[n], layout.nodes[n]);
      } else {
        add_card(exhibit_.txns[part.nodes[n].txn], cards[n], layout.nodes[n]);
      }
    }
    body_ += "</g>\n";
    width_ = std::max(width_, layout.width);
    y_ += layout.height;
  }

  [[nodiscard]] static double pill_width(const ExhibitEdge& edge) {
    return static_cast<double>(columns(edge_label(edge))) * kBoldWidth + 14;
  }

  [[nodiscard]] Card card_of(const ExhibitTxn& txn) const {
    const std::string_view status = corner_word(txn);
    const double head = static_cast<double>(txn.label.size() + status.size()) * 8 + 24;
    const double place =
        static_cast<double>(columns(fitted(short_place(exhibit_, txn), kPlaceColumns))) *
        kSansWidth;
    Card card = {.node = {.width = std::max(head, place), .rows = {kHeader}}};
    for (const ExhibitOp& op : txn.ops) {
      if (op.skipped > 0) {
        card.node.rows.push_back(kGapRow);
      }
      card.op_rows.push_back(card.node.rows.size());
      card.node.rows.push_back(kRow);
      card.node.width = std::max(
          card.node.width, static_cast<double>(columns(fitted(op.text, kOpColumns))) * kMonoWidth);
    }
    if (txn.skipped > 0) {
      card.node.rows.push_back(kGapRow);
    }
    card.node.rows.push_back(kFoot);
    card.node.width += 2 * kPad;
    return card;
  }

  [[nodiscard]] static Card card_of_many() { return {.node = {.width = 200, .rows = {kHeader}}}; }

  void add_card_of_many(const GraphNode& node, const PlacedNode& at) {
    body_ += fmt::format(
        "<g class=\"v-many\"><rect class=\"v-card\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
        "rx=\"8\"/><text class=\"v-place\" x=\"{}\" y=\"{}\">… {} more transactions</text></g>\n",
        number(at.x), number(at.y), number(at.width), number(at.height), number(at.x + kPad),
        number(at.y + at.height / 2 + 4), node.left_out);
  }

  [[nodiscard]] static std::string_view corner_word(const ExhibitTxn& txn) {
    const std::string_view status = status_word(txn.status);
    return status.empty() && txn.is_reader_only ? "witness" : status;
  }

  void add_card(const ExhibitTxn& txn, const Card& card, const PlacedNode& at) {
    const std::string_view status = corner_word(txn);
    const std::string place = short_place(exhibit_, txn);
    body_ += fmt::format(
        "<g class=\"v-txn{}{}\" data-ref=\"{}\" tabindex=\"-1\" role=\"group\" "
        "aria-label=\"{}\"><title>{}</title><rect class=\"v-card\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\" rx=\"8\"/>",
        status.empty()                      ? ""
        : txn.status == TxnStatus::kAborted ? " v-aborted"
                                            : " v-unknown",
        txn.is_reader_only ? " v-reader" : "", html(txn.anchor),
        html(fmt::format("{}{}{}, {}", txn.label, status.empty() ? "" : ", ", status, place)),
        html(txn.label + " " + (txn.place.empty() ? place : txn.place)), number(at.x), number(at.y),
        number(at.width), number(at.height));
    body_ += fmt::format("<text class=\"v-name\" x=\"{}\" y=\"{}\">{}</text>", number(at.x + kPad),
                         number(at.y + 20), html(txn.label));
    if (!status.empty()) {
      body_ += fmt::format("<text class=\"v-status\" x=\"{}\" y=\"{}\">{}</text>",
                           number(at.x + at.width - kPad), number(at.y + 20), html(status));
    }
    body_ += fmt::format("<text class=\"v-place\" x=\"{}\" y=\"{}\">{}</text>", number(at.x + kPad),
                         number(at.y + 36), html(fitted(place, kPlaceColumns)));
    for (std::size_t o = 0; o < txn.ops.size(); ++o) {
      const std::size_t row = card.op_rows[o];
      if (txn.ops[o].skipped > 0) {
        add_gap(txn.ops[o].skipped, at, at.rows[row - 1]);
      }
      add_op(txn.ops[o], at, at.rows[row]);
    }
    if (txn.skipped > 0) {
      add_gap(txn.skipped, at, at.rows[at.rows.size() - 2]);
    }
    body_ += "</g>\n";
  }

  void add_gap(std::size_t count, const PlacedNode& at, const PlacedRow& row) {
    body_ += fmt::format("<text class=\"v-gap\" x=\"{}\" y=\"{}\">⋮ {} more</text>",
                         number(at.x + kPad), number(at.y + row.top + row.height / 2 + 4), count);
  }

  void add_op(const ExhibitOp& op, const PlacedNode& at, const PlacedRow& row) {
    body_ += fmt::format(
        "<g class=\"v-op{}\" data-ref=\"{}\"><rect class=\"v-row\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\" rx=\"4\"/><text class=\"v-code\" x=\"{}\" y=\"{}\">{}</text></g>",
        op.is_in_focus ? " v-focus" : "", html(op.anchor), number(at.x + 5),
        number(at.y + row.top + 1), number(at.width - 10), number(row.height - 2),
        number(at.x + kPad), number(at.y + row.top + row.height / 2 + 4.5),
        html(fitted(op.text, kOpColumns)));
  }

  void add_edge(const GraphEdge& edge, const PlacedEdge& at, double pill) {
    const ExhibitEdge& shown = *edge.shown;
    const std::string sentence = edge_sentence(exhibit_, shown);
    const std::string line = path_of(at, pill);
    const LayoutPoint end = at.points.back();
    const double back = at.arrives_left ? -kHead : kHead;
    body_ += fmt::format(
        "<g class=\"v-edge v-{}{}\" data-ref=\"{}\" data-ends=\"{}\" tabindex=\"-1\" role=\"img\" "
        "aria-label=\"{}\"><title>{}</title><path class=\"v-hit\" d=\"{}\"/><path "
        "class=\"v-line\" d=\"{}\"/><path class=\"v-head\" d=\"M{} {}l{} -4.5v9z\"/>",
        edge_kind(shown), shown.is_assumed ? " v-assumed" : "", html(edge.anchors),
        html(edge_ends(exhibit_, shown)), html(sentence), html(sentence), line, line, number(end.x),
        number(end.y), number(back));
    body_ += fmt::format(
        "<rect class=\"v-pill\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"9\"/><text "
        "class=\"v-label\" x=\"{}\" y=\"{}\">{}</text></g>\n",
        number(at.label.x), number(at.label.y - kPill / 2), number(pill), number(kPill),
        number(at.label.x + pill / 2), number(at.label.y + 4), html(edge_label(shown)));
  }

  /// Horizontal past the label, then curves, then horizontal into the arrow's head.
  [[nodiscard]] static std::string path_of(const PlacedEdge& at, double pill) {
    const double out = (at.leaves_right ? 1 : -1) * (kLabelGap + pill);
    const double in = (at.arrives_left ? -1 : 1) * kHead;
    std::vector<LayoutPoint> points = at.points;
    std::string path = fmt::format("M{} {}", number(points[0].x), number(points[0].y));
    points.front().x += out;
    points.back().x += in;
    path += fmt::format("H{}", number(points.front().x));
    if (at.leaves_right != at.arrives_left) {  // an edge to its own node
      const double x = std::max(points.front().x, points.back().x) + 32;
      return path + fmt::format("C{0} {1} {0} {2} {3} {2}", number(x), number(points.front().y),
                                number(points.back().y), number(points.back().x));
    }
    for (std::size_t i = 1; i < points.size(); ++i) {
      const LayoutPoint from = points[i - 1];
      const LayoutPoint to = points[i];
      const double middle = (from.x + to.x) / 2;
      path += i % 2 == 0 ? fmt::format("H{}", number(to.x))
                         : fmt::format("C{0} {1} {0} {2} {3} {2}", number(middle), number(from.y),
                                       number(to.y), number(to.x));
    }
    return path;
  }

  /// Explains each kind of edge in the picture.
  void add_legend(const std::vector<GraphPart>& parts) {
    std::vector<const ExhibitEdge*> kinds;
    for (const GraphPart& part : parts) {
      for (const GraphEdge& edge : part.edges) {
        if (std::ranges::none_of(kinds, [&](const ExhibitEdge* known) {
              return edge_kind(*known) == edge_kind(*edge.shown);
            })) {
          kinds.push_back(edge.shown);
        }
      }
    }
    if (kinds.empty()) {
      return;
    }
    std::ranges::sort(kinds, {}, [](const ExhibitEdge* e) { return e->relation; });
    y_ += kPartGap;
    body_ += fmt::format(
        "<text class=\"v-place\" x=\"{}\" y=\"{}\">An arrow from A to B: A must come before "
        "B.</text>\n",
        number(kMargin), number(y_ + 4));
    for (const ExhibitEdge* kind : kinds) {
      y_ += kLegendLine;
      body_ += fmt::format(
          "<g class=\"v-key v-{0}\"><path class=\"v-line\" d=\"M{1} {2}h30\"/><path "
          "class=\"v-head\" d=\"M{3} {2}l-9 -4.5v9z\"/><text class=\"v-place\" x=\"{4}\" "
          "y=\"{5}\"><tspan class=\"v-kind\">{0}</tspan> {6}</text></g>\n",
          edge_kind(*kind), number(kMargin), number(y_), number(kMargin + 38), number(kMargin + 48),
          number(y_ + 4), edge_meaning(*kind));
      width_ = std::max(
          width_, 60 + static_cast<double>(edge_kind(*kind).size() + edge_meaning(*kind).size()) *
                           kSansWidth);
    }
    width_ = std::max(width_, 43 * kSansWidth);
  }

  const Exhibit& exhibit_;
  std::string body_ = {};
  double width_ = 0;
  double y_ = kMargin;
};

}  // namespace

std::string graph_svg(const Exhibit& exhibit) {
  return GraphPicture(exhibit).draw();
}

}  // namespace elapid
