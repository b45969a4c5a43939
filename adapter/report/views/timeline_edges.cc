#include "adapter/report/views/timeline_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/views/graph_parts.h"
#include "adapter/report/views/svg_text.h"

namespace elapid {
namespace {

constexpr double kTimelineHead = 8;

struct Rect {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  [[nodiscard]] bool meets(const Rect& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class TimelineEdgeWriter {
 public:
  TimelineEdgeWriter(const Exhibit& exhibit, const TimelineLayout& layout)
      : exhibit_(exhibit), bars_(layout.bars) {}

  TimelineEdges draw() {
    for (const TimelineBar& bar : bars_) {  // labels keep off bars and their texts
      taken_.push_back({bar.begin, bar.top - 1, bar.end, bar.top + kTimelineBar + 1});
      taken_.push_back({bar.begin, bar.text_y - 12, bar.begin + bar.text_width, bar.text_y + 4});
    }
    for (const GraphEdge& edge : certain_edges(exhibit_)) {
      if (edge.from < bars_.size() && edge.to < bars_.size() && edge.from != edge.to) {
        add_edge(*edge.shown, edge.anchors);
      }
    }
    return std::move(made_);
  }

 private:
  /// A curve with its directions at both ends.
  struct Curve {
    double x[4] = {};
    double y[4] = {};

    [[nodiscard]] std::pair<double, double> at(double t) const {
      const double s = 1 - t;
      const auto mix = [&](const double* p) {
        return s * s * s * p[0] + 3 * s * s * t * p[1] + 3 * s * t * t * p[2] + t * t * t * p[3];
      };
      return {mix(x), mix(y)};
    }
  };

  void add_edge(const ExhibitEdge& edge, const std::string& anchors) {
    const bool is_level = is_from_end_to_begin(edge);
    const Curve curve = is_level ? level_curve(edge) : upright_curve(edge);
    const std::string label = edge_label(edge);
    const std::string sentence = edge_sentence(exhibit_, edge);
    const double dx = is_level ? -kTimelineHead : 0;
    const double dy = is_level ? 0 : curve.y[2] < curve.y[3] ? -kTimelineHead : kTimelineHead;
    const std::string path =
        fmt::format("M{} {}C{} {} {} {} {} {}", number(curve.x[0]), number(curve.y[0]),
                    number(curve.x[1]), number(curve.y[1]), number(curve.x[2]), number(curve.y[2]),
                    number(curve.x[3] + dx), number(curve.y[3] + dy));
    made_.svg += fmt::format(
        "<g class=\"v-edge v-{}{}\" data-ref=\"{}\" data-ends=\"{}\" tabindex=\"-1\" role=\"img\" "
        "aria-label=\"{}\"><title>{}</title><path class=\"v-hit\" d=\"{}\"/><path "
        "class=\"v-line\" d=\"{}\"/><path class=\"v-head\" d=\"{}\"/>",
        edge_kind(edge), edge.is_assumed ? " v-assumed" : "", html(anchors),
        html(edge_ends(exhibit_, edge)), html(sentence), html(sentence), path, path,
        arrow_head(curve.x[3], curve.y[3], dx, dy));
    add_label(curve, label);
    made_.svg += "</g>\n";
  }

  [[nodiscard]] static std::string arrow_head(double x, double y, double dx, double dy) {
    return fmt::format("M{} {}L{} {}L{} {}z", number(x), number(y), number(x + dx - dy / 2),
                       number(y + dy + dx / 2), number(x + dx + dy / 2), number(y + dy - dx / 2));
  }

  [[nodiscard]] static bool is_order(const ExhibitEdge& edge) {
    return edge.relation == Relation::kProcess || edge.relation == Relation::kRealtime;
  }

  /// Whether the edge leads from the end of a bar to the beginning of one in another lane. Within a
  /// lane its label has no room.
  [[nodiscard]] bool is_from_end_to_begin(const ExhibitEdge& edge) const {
    const TimelineBar& from = bars_[edge.from];
    const TimelineBar& to = bars_[edge.to];
    return is_order(edge) && from.top != to.top && (!edge.by_timestamps || from.end <= to.begin);
  }

  /// A curve from the end of a bar to the beginning of another.
  [[nodiscard]] Curve level_curve(const ExhibitEdge& edge) const {
    const TimelineBar& from = bars_[edge.from];
    const TimelineBar& to = bars_[edge.to];
    const double y0 = from.top + kTimelineBar / 2;
    const double y1 = to.top + kTimelineBar / 2;
    const double bend = std::max(24.0, std::abs(to.begin - from.end) / 2);
    return {{from.end, from.end + bend, to.begin - bend, to.begin}, {y0, y0, y1, y1}};
  }

  /// A curve between the facing sides of two bars; within a lane it runs below.
  [[nodiscard]] Curve upright_curve(const ExhibitEdge& edge) const {
    const TimelineBar& from = bars_[edge.from];
    const TimelineBar& to = bars_[edge.to];
    const auto x = [&](std::size_t t, std::optional<std::size_t> op) {
      const TimelineBar& bar = bars_[t];
      const bool is_at_end = t == edge.from || edge.by_timestamps;
      return op                ? timeline_op_x(exhibit_.txns[t], bar, *op)
             : !is_order(edge) ? (bar.begin + bar.end) / 2
             : is_at_end       ? bar.end - 4
                               : bar.begin + 4;
    };
    const double x0 = x(edge.from, edge.from_op);
    const double x1 = x(edge.to, edge.to_op);
    const double below0 = from.top + kTimelineBar;
    const double below1 = to.top + kTimelineBar;
    if (from.top == to.top) {
      return {{x0, x0, x1, x1}, {below0, below0 + 24, below1 + 24, below1}};
    }
    const bool is_down = from.top < to.top;
    const double y0 = is_down ? below0 : from.top;
    const double y1 = is_down ? to.top : below1;
    const double bend = (y1 - y0) / 2;
    return {{x0, x0, x1, x1}, {y0, y0 + bend, y1 - bend, y1}};
  }

  /// Adds the label at a place of the curve with room.
  void add_label(const Curve& curve, const std::string& label) {
    const double width = static_cast<double>(columns(label)) * kSansWidth + 12;
    Rect best;
    bool is_free = false;
    for (const double aside : {0.0, 0.6, -0.6, 1.1, -1.1}) {
      for (const double t : {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82}) {
        const auto [x, y] = curve.at(t);
        const double middle = x + aside * width;
        const Rect rect = {middle - width / 2, y - 9, middle + width / 2, y + 9};
        const bool fits =
            std::ranges::none_of(taken_, [&](const Rect& r) { return r.meets(rect); });
        if ((fits && !is_free) || best.right == 0) {
          best = rect;
          is_free = fits;
        }
      }
    }
    best = moved_inside(best);
    taken_.push_back(best);
    made_.svg += fmt::format(
        "<rect class=\"v-pill\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"9\"/><text "
        "class=\"v-label\" x=\"{}\" y=\"{}\">{}</text>",
        number(best.left), number(best.top), number(width), number((best.left + best.right) / 2),
        number(best.top + 13), html(label));
    made_.right = std::max(made_.right, best.right);
  }

  [[nodiscard]] static Rect moved_inside(Rect rect) {
    const double shift = std::max(0.0, 4 - rect.left);
    return {rect.left + shift, rect.top, rect.right + shift, rect.bottom};
  }

  const Exhibit& exhibit_;
  const std::vector<TimelineBar>& bars_;
  std::vector<Rect> taken_ = {};
  TimelineEdges made_ = {};
};

}  // namespace

TimelineEdges timeline_edges(const Exhibit& exhibit, const TimelineLayout& layout) {
  return TimelineEdgeWriter(exhibit, layout).draw();
}

}  // namespace elapid
