#include "harness/story/story_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/ir/mapped.h"
#include "harness/story/story_text.h"

namespace elapid {

namespace {

// All sizes are in pixels.
constexpr int kCharWidth = 8;  // of the monospaced font
constexpr int kRowHeight = 26;
constexpr int kMargin = 20;
constexpr int kNumbers = 36;  // room for the numbers, left of the lanes
constexpr int kLaneGap = 72;  // room for edges and their labels
constexpr int kLanePad = 14;
constexpr int kLineHeight = 20;  // of text above and below
constexpr int kFewestColumns = 72;

// Colours are plain rules: many programs that show SVG do not support variables.
constexpr std::string_view kStyle = R"(<style>
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #1b1f24; white-space: pre; }
.title { font-weight: bold; }
.paper { fill: #ffffff; }
.txn { fill: #f3f5f8; stroke: #8b949e; }
.number { fill: #ffffff; stroke: #b3261e; }
.mid { text-anchor: middle; }
.focus { font-weight: bold; }
.edge { fill: none; stroke: #b3261e; stroke-width: 1.5; }
.head { fill: #b3261e; }
.wr { stroke-dasharray: 7 3; }
.rw { stroke-dasharray: 2 3; }
.process { stroke-dasharray: 9 3 2 3; }
.realtime { stroke-dasharray: 1 5; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .paper { fill: #0d1117; }
  .txn { fill: #1c2230; stroke: #7d8590; }
  .number { fill: #0d1117; stroke: #ff8a80; }
  .edge { stroke: #ff8a80; }
  .head { fill: #ff8a80; }
}
</style>
)";

int width_of(std::string_view text) {
  return kCharWidth * static_cast<int>(std::ranges::count_if(text, [](char byte) {
           return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
         }));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

/// Breaks text at blanks into lines of at most so many characters. Continuations are indented.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  std::vector<std::string> lines;
  std::string rest = text;
  while (rest.size() > columns) {
    std::size_t cut = rest.rfind(' ', columns);
    if (cut == std::string::npos || cut <= indent + 2) {
      break;
    }
    lines.push_back(rest.substr(0, cut));
    rest = std::string(indent + 2, ' ') + rest.substr(cut + 1);
  }
  lines.push_back(rest);
  return lines;
}

class Picture {
 public:
  explicit Picture(const ToldStory& story) : story_(story) { place_lanes(); }

  std::string draw() {
    add_text_above();
    add_lanes();
    add_steps();
    for (std::size_t e = 0; e < story_.edges.size(); ++e) {
      add_edge(e);
    }
    y_ = row_y(story_.steps.size()) + kLineHeight;
    add_text_below();
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0} {1}\" "
               "width=\"{0}\" height=\"{1}\">\n<title>{2}</title>\n",
               width_, y_, escaped(story_.title)) +
           std::string(kStyle) +
           "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
           "markerHeight=\"8\" orient=\"auto\"><path class=\"head\" d=\"M0 0 L8 4 L0 8 "
           "z\"/></marker></defs>\n" +
           fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", width_, y_) + body_ +
           "</svg>\n";
  }

 private:
  void place_lanes() {
    auto widths = mapped<int>(story_.columns,
                              [&](const StoryColumn& column) { return width_of(column.name); });
    for (const StoryStep& step : story_.steps) {
      widths[step.column] = std::max(widths[step.column], width_of(row_text(story_, step)));
    }
    int x = kMargin + kNumbers;
    for (const int width : widths) {
      lane_x_.push_back(x);
      lane_width_.push_back(width + 2 * kLanePad);
      x += lane_width_.back() + kLaneGap;
    }
    width_ = std::max(x - kLaneGap + kMargin + kLaneGap, 2 * kMargin + kFewestColumns * kCharWidth);
  }

  [[nodiscard]] std::size_t text_columns() const {
    return static_cast<std::size_t>((width_ - 2 * kMargin) / kCharWidth);
  }

  void add_line(const std::string& text, std::string_view style = "") {
    for (const std::string& line : wrapped(text, text_columns())) {
      y_ += kLineHeight;
      add_label(kMargin, y_, line, style);
    }
  }

  void add_label(int x, int y, std::string_view text, std::string_view style) {
    body_ +=
        fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>\n",
                    style.empty() ? "" : fmt::format(" class=\"{}\"", style), x, y, escaped(text));
  }

  void add_text_above() {
    y_ = kMargin / 2;
    add_line(story_.title, "title");
    add_line((story_.levels.empty() ? "" : story_.levels + "; ") + story_.size);
    y_ += kLineHeight + kRowHeight / 2;
    for (std::size_t c = 0; c < story_.columns.size(); ++c) {
      add_label(lane_x_[c] + lane_width_[c] / 2, y_, story_.columns[c].name, "title mid");
    }
    y_ += kRowHeight / 2;
    first_row_ = y_;
  }

  [[nodiscard]] int row_y(std::size_t row) const {
    return first_row_ + static_cast<int>(row) * kRowHeight;
  }

  [[nodiscard]] int middle(std::size_t row) const { return row_y(row) + kRowHeight / 2; }

  void add_lanes() {
    for (const StoryTxn& txn : story_.txns) {
      const int height = static_cast<int>(txn.last_row - txn.first_row + 1) * kRowHeight - 4;
      body_ += fmt::format(
          "<rect class=\"txn\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
          lane_x_[txn.column], row_y(txn.first_row) + 2, lane_width_[txn.column], height);
    }
  }

  void add_steps() {
    for (std::size_t row = 0; row < story_.steps.size(); ++row) {
      const StoryStep& step = story_.steps[row];
      const bool is_focus = step.number > 0;
      add_label(lane_x_[step.column] + kLanePad, middle(row) + 4, row_text(story_, step),
                is_focus ? "focus" : "");
      if (is_focus) {
        constexpr int kX = kMargin + 11;
        body_ += fmt::format("<circle class=\"number\" cx=\"{}\" cy=\"{}\" r=\"10\"/>\n", kX,
                             middle(row));
        add_label(kX, middle(row) + 4, fmt::to_string(step.number), "mid");
      }
    }
  }

  /// Draws an edge from the side of its box that faces the other box; within a lane, on the right.
  void add_edge(std::size_t number) {
    const StoryEdge& edge = story_.edges[number];
    const std::size_t from = story_.txns[edge.from].column;
    const std::size_t to = story_.txns[edge.to].column;
    const auto right_of = [this](std::size_t lane) { return lane_x_[lane] + lane_width_[lane]; };
    const int x1 = to >= from ? right_of(from) : lane_x_[from];
    const int x2 = to > from ? lane_x_[to] : right_of(to);
    const int y1 = middle(edge.from_row) - 3;
    const int y2 = middle(edge.to_row) + 3;
    const int bend = to > from ? kLaneGap / 2 : to < from ? -kLaneGap / 2 : kLaneGap;
    const int back = to == from ? kLaneGap : -bend;
    body_ += fmt::format(
        "<path class=\"edge {}\" marker-end=\"url(#head)\" d=\"M{} {} C{} {} {} {} {} {}\"/>\n",
        edge.relation, x1, y1, x1 + bend, y1, x2 + back, y2, x2, y2);
    const std::string label = edge.relation + (edge.key.empty() ? "" : " " + edge.key);
    const int x = (x1 + x2) / 2 + (to == from ? kLaneGap * 3 / 4 : 0);
    const int y = (y1 + y2) / 2;
    body_ += fmt::format(
        "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\" rx=\"3\"/>\n",
        x - width_of(label) / 2 - 3, y - 8, width_of(label) + 6);
    add_label(x, y + 4, label, "mid");
  }

  void add_text_below() {
    if (const std::string cycle = cycle_text(story_); !cycle.empty()) {
      add_line(cycle, "title");
    }
    for (const std::string& claim : story_.claims) {
      add_line(claim);
    }
    y_ += kMargin;
  }

  const ToldStory& story_;
  std::vector<int> lane_x_ = {};
  std::vector<int> lane_width_ = {};
  int width_ = 0;
  int y_ = 0;
  int first_row_ = 0;
  std::string body_ = {};
};

}  // namespace

std::string to_svg(const ToldStory& story) {
  return Picture(story).draw();
}

}  // namespace elapid
