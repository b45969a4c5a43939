// The timeline of an exhibit as an SVG picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/views/graph_parts.h"
#include "adapter/report/views/svg_text.h"
#include "adapter/report/views/time_axis.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

// All sizes are in pixels.
constexpr double kTimelineMargin = 16;
constexpr double kBar = 24;
constexpr double kTextLine = 19;
constexpr double kLaneGap = 56;
constexpr double kEventStep = 36;  // at least, where only the order is known
constexpr double kBarPad = 8;
constexpr double kLeastBar = 10;
constexpr double kOpenEnd = 56;  // of a bar without an end
constexpr double kTimelineHead = 8;
constexpr std::size_t kLineColumns = 40;
constexpr std::size_t kMaxTxns = 200;

struct Rect {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  [[nodiscard]] bool meets(const Rect& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// A transaction's bar and the line of text in it or, where that has no room there, beside it.
struct Bar {
  double begin = 0;
  double end = 0;
  double top = 0;
  std::vector<std::size_t> ops = {};  // that are shown
  double text_width = 0;
  bool is_inside = false;
  std::size_t text_row = 0;  // in its lane, away from the bar
};

struct Lane {
  std::vector<std::size_t> txns = {};  // in order of time
  std::size_t text_rows = 0;           // outside of bars
  bool is_text_below = false;
  double bar_top = 0;
};

class Timeline {
 public:
  explicit Timeline(const Exhibit& exhibit)
      : exhibit_(exhibit),
        shown_(std::min(exhibit.txns.size(), kMaxTxns)),
        bars_(shown_),
        lanes_(exhibit.sessions.size()) {}

  std::string draw() {
    place_bars();
    place_lanes();
    add_lanes();
    add_edges();
    for (std::size_t t = 0; t < shown_; ++t) {
      add_bar(t);
    }
    if (has_axis()) {
      add_axis();
    }
    add_caption();
    return svg_start(exhibit_, "timeline", width_ + kTimelineMargin, y_ + kTimelineMargin) + body_ +
           "</svg>\n";
  }

 private:
  [[nodiscard]] bool has_axis() const {
    return exhibit_.axis == ExhibitAxis::kTime || exhibit_.axis == ExhibitAxis::kTimestamps;
  }

  [[nodiscard]] std::optional<std::int64_t> begin_time(const ExhibitTxn& txn) const {
    return exhibit_.axis == ExhibitAxis::kTime ? txn.invoked : txn.start_timestamp;
  }

  [[nodiscard]] std::optional<std::int64_t> end_time(const ExhibitTxn& txn) const {
    return exhibit_.axis == ExhibitAxis::kTime ? txn.completed : txn.commit_timestamp;
  }

  void place_bars() {
    for (const std::string& session : exhibit_.sessions) {
      left_ = std::max(left_,
                       kTimelineMargin + static_cast<double>(columns(session)) * kSansWidth + 20);
    }
    for (std::size_t t = 0; t < shown_; ++t) {
      lanes_[exhibit_.txns[t].session].txns.push_back(t);
      choose_ops(t);
    }
    for (Lane& lane : lanes_) {
      std::ranges::sort(lane.txns, {},
                        [this](std::size_t t) { return exhibit_.txns[t].first_event; });
    }
    if (has_axis()) {
      place_by_time();
    } else if (exhibit_.axis == ExhibitAxis::kEvents) {
      place_by_events();
    } else {
      place_by_sessions();
    }
    width_ = left_;
    for (const Bar& bar : bars_) {
      width_ = std::max(width_, bar.end);
    }
    const double open_end = width_ + kOpenEnd;
    for (std::size_t t = 0; t < shown_; ++t) {
      bars_[t].end = exhibit_.txns[t].last_event ? bars_[t].end : open_end;
      width_ = std::max(width_, bars_[t].end);
    }
  }

  /// What matters; where nothing does, everything.
  void choose_ops(std::size_t t) {
    const std::vector<ExhibitOp>& ops = exhibit_.txns[t].ops;
    const bool has_focus = std::ranges::any_of(ops, &ExhibitOp::is_in_focus);
    Bar& bar = bars_[t];
    bar.text_width = head_width(t);
    for (std::size_t o = 0; o < ops.size(); ++o) {
      if (!has_focus || ops[o].is_in_focus) {
        bar.ops.push_back(o);
        bar.text_width += op_width(ops[o]);
      }
    }
  }

  [[nodiscard]] static std::string head(const ExhibitTxn& txn) {
    const std::string_view status = status_word(txn.status);
    return txn.label + (status.empty() ? "" : " (" + std::string(status) + ")");
  }

  [[nodiscard]] double head_width(std::size_t t) const {
    return static_cast<double>(columns(head(exhibit_.txns[t]))) * 8.5;
  }

  /// With what stands between it and the one before.
  [[nodiscard]] static double op_width(const ExhibitOp& op) {
    return static_cast<double>(columns(fitted(op.text, kLineColumns)) + 2) * kMonoWidth;
  }

  void place_by_time() {
    std::vector<std::int64_t> moments;
    for (std::size_t t = 0; t < shown_; ++t) {
      for (const auto time : {begin_time(exhibit_.txns[t]), end_time(exhibit_.txns[t])}) {
        if (time) {
          moments.push_back(*time);
        }
      }
    }
    const double least = std::clamp(480 / static_cast<double>(moments.size() + 1), 12.0, 72.0);
    times_ = moment_texts(moments);
    axis_ = TimeAxis(moments, {.least = least, .most = 5.5 * least});
    for (std::size_t t = 0; t < shown_; ++t) {
      const auto begin = begin_time(exhibit_.txns[t]);
      const auto end = end_time(exhibit_.txns[t]);
      bars_[t].begin = left_ + (begin ? axis_.x(*begin) : end ? axis_.x(*end) : 0);
      bars_[t].end = std::max(bars_[t].begin + kLeastBar, left_ + (end ? axis_.x(*end) : 0));
    }
  }

  /// Bars are at least as wide as their text.
  void place_by_events() {
    std::vector<std::pair<std::size_t, std::pair<bool, std::size_t>>> events;  // is an end, of whom
    for (std::size_t t = 0; t < shown_; ++t) {
      events.push_back({exhibit_.txns[t].first_event, {false, t}});
      if (exhibit_.txns[t].last_event) {
        events.push_back({*exhibit_.txns[t].last_event, {true, t}});
      }
    }
    std::ranges::sort(events);
    double x = left_;
    for (const auto& [event, what] : events) {
      const auto& [is_end, t] = what;
      Bar& bar = bars_[t];
      const double text = bar.text_width + 2 * kBarPad;
      x = is_end ? std::max(x, bar.begin + text) : x;
      bar.begin = is_end ? bar.begin : x;
      bar.end = is_end ? x : x + text;
      x += kEventStep;
    }
  }

  /// Each lane by itself.
  void place_by_sessions() {
    for (const Lane& lane : lanes_) {
      double x = left_;
      for (const std::size_t t : lane.txns) {
        bars_[t].begin = x;
        bars_[t].end = x + bars_[t].text_width + 2 * kBarPad;
        x = bars_[t].end + kEventStep;
      }
    }
  }

  /// Texts outside stand away from other lanes, as far as can be; those that would meet stand above
  /// one another.
  void place_lanes() {
    for (Lane& lane : lanes_) {
      lane.is_text_below = lanes_.size() > 1 && &lane == &lanes_.back();
      std::vector<double> row_ends;
      for (const std::size_t t : lane.txns) {
        Bar& bar = bars_[t];
        bar.is_inside = bar.begin + bar.text_width + 2 * kBarPad <= bar.end + 0.1;
        if (bar.is_inside) {
          continue;
        }
        const auto free =
            std::ranges::find_if(row_ends, [&](double end) { return end + 14 <= bar.begin; });
        bar.text_row = static_cast<std::size_t>(free - row_ends.begin());
        if (free == row_ends.end()) {
          row_ends.push_back(0);
        }
        row_ends[bar.text_row] = bar.begin + bar.text_width;
        width_ = std::max(width_, bar.begin + bar.text_width);
      }
      lane.text_rows = row_ends.size();
      const double texts = static_cast<double>(lane.text_rows) * kTextLine;
      lane.bar_top = y_ + (lane.is_text_below ? 0 : texts);
      for (const std::size_t t : lane.txns) {
        bars_[t].top = lane.bar_top;
      }
      y_ += texts + kBar + (has_brackets(lane) ? 20 : 0) + kLaneGap;
    }
  }

  [[nodiscard]] bool has_brackets(const Lane& lane) const {
    return std::ranges::any_of(lane.txns, [this](std::size_t t) { return has_bracket(t); });
  }

  /// What the database said where the axis shows what clients saw.
  [[nodiscard]] bool has_bracket(std::size_t t) const {
    return exhibit_.axis != ExhibitAxis::kTimestamps &&
           (exhibit_.txns[t].start_timestamp || exhibit_.txns[t].commit_timestamp);
  }

  void add_lanes() {
    for (std::size_t s = 0; s < lanes_.size(); ++s) {
      const double middle = lanes_[s].bar_top + kBar / 2;
      body_ += fmt::format(
          "<g class=\"v-lane\"><path class=\"v-rail\" d=\"M{} {}H{}\"/><text class=\"v-place\" "
          "x=\"{}\" y=\"{}\">{}</text></g>\n",
          number(left_ - 8), number(middle), number(width_), number(kTimelineMargin),
          number(middle + 4), html(exhibit_.sessions[s]));
    }
  }

  /// Where an edge meets the bar: at the operation's text, or somewhere in the bar, since nobody
  /// knows when in its time an operation happened.
  [[nodiscard]] double op_x(std::size_t t, std::size_t op) const {
    const Bar& bar = bars_[t];
    const auto place = static_cast<std::size_t>(std::ranges::find(bar.ops, op) - bar.ops.begin());
    if (bar.is_inside && place < bar.ops.size()) {
      double x = text_x(t) + head_width(t);
      for (std::size_t i = 0; i < place; ++i) {
        x += op_width(exhibit_.txns[t].ops[bar.ops[i]]);
      }
      return x + op_width(exhibit_.txns[t].ops[op]) / 2 + kMonoWidth / 2;
    }
    const double end = exhibit_.txns[t].last_event ? bar.end : bar.end - kOpenEnd / 2;
    return bar.begin + (end - bar.begin) * static_cast<double>(place + 1) /
                           static_cast<double>(bar.ops.size() + 2);
  }

  [[nodiscard]] double text_x(std::size_t t) const {
    return bars_[t].begin + (bars_[t].is_inside ? kBarPad : bars_[t].text_row > 0 ? 5 : 0);
  }

  [[nodiscard]] double text_y(std::size_t t) const {
    const Bar& bar = bars_[t];
    const double away = kTextLine * static_cast<double>(bar.text_row);
    if (bar.is_inside) {
      return bar.top + 16.5;
    }
    return lanes_[exhibit_.txns[t].session].is_text_below ? bar.top + kBar + 15 + away
                                                          : bar.top - 7 - away;
  }

  void add_bar(std::size_t t) {
    const ExhibitTxn& txn = exhibit_.txns[t];
    const Bar& bar = bars_[t];
    body_ += fmt::format(
        "<g class=\"v-txn{}\" data-ref=\"{}\" tabindex=\"-1\" role=\"group\" "
        "aria-label=\"{}\"><title>{}</title>",
        txn.status == TxnStatus::kAborted         ? " v-aborted"
        : txn.status == TxnStatus::kIndeterminate ? " v-unknown"
                                                  : "",
        html(txn.anchor), html(aria(txn)),
        html(txn.label + " " + (txn.place.empty() ? short_place(exhibit_, txn) : txn.place)));
    if (txn.last_event) {
      body_ += fmt::format(
          "<rect class=\"v-bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\"/>",
          number(bar.begin), number(bar.top), number(bar.end - bar.begin), number(kBar));
    } else {  // open at the right
      body_ += fmt::format(
          "<path class=\"v-bar v-open\" d=\"M{0} {1}H{2}a5 5 0 0 0 -5 5v{3}a5 5 0 0 0 5 5H{0}\"/>",
          number(bar.end), number(bar.top), number(bar.begin + 5), number(kBar - 10));
      body_ += fmt::format("<text class=\"v-status v-mid\" x=\"{}\" y=\"{}\">?</text>",
                           number(bar.end - 10), number(bar.top + 17));
    }
    if (bar.text_row > 0) {
      body_ += fmt::format("<path class=\"v-leader\" d=\"M{} {}V{}\"/>", number(bar.begin + 2),
                           number(bar.top + kBar / 2), number(text_y(t)));
    }
    add_text(t);
    for (const std::size_t o : bar.ops) {
      if (!bar.is_inside) {
        body_ +=
            fmt::format("<circle class=\"v-dot{}\" data-ref=\"{}\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>",
                        txn.ops[o].is_in_focus ? " v-focus" : "", html(txn.ops[o].anchor),
                        number(op_x(t, o)), number(bar.top + kBar / 2));
      }
    }
    if (has_bracket(t)) {
      add_bracket(txn, bar);
    }
    body_ += "</g>\n";
  }

  void add_text(std::size_t t) {
    const ExhibitTxn& txn = exhibit_.txns[t];
    const std::string_view status = status_word(txn.status);
    body_ += fmt::format(
        "<text class=\"v-code{}\" x=\"{}\" y=\"{}\"><tspan class=\"v-name\">{}</tspan>{}",
        bars_[t].is_inside ? "" : " v-halo", number(text_x(t)), number(text_y(t)), html(txn.label),
        status.empty() ? "" : fmt::format(" ({})", status));
    double x = text_x(t) + head_width(t);
    for (const std::size_t o : bars_[t].ops) {
      body_ += fmt::format("<tspan class=\"v-op{}\" data-ref=\"{}\" x=\"{}\">{}</tspan>",
                           txn.ops[o].is_in_focus ? " v-focus" : "", html(txn.ops[o].anchor),
                           number(x + kMonoWidth), html(fitted(txn.ops[o].text, kLineColumns)));
      x += op_width(txn.ops[o]);
    }
    body_ += "</text>";
  }

  [[nodiscard]] std::string aria(const ExhibitTxn& txn) const {
    return head(txn) + ", " + short_place(exhibit_, txn);
  }

  void add_bracket(const ExhibitTxn& txn, const Bar& bar) {
    const auto words = [](std::string_view word, const std::optional<std::int64_t>& time) {
      return time ? fmt::format("{} {}", word, *time) : fmt::format("no {}", word);
    };
    const std::string text =
        words("start", txn.start_timestamp) + " … " + words("commit", txn.commit_timestamp);
    body_ += fmt::format(
        "<path class=\"v-bracket\" d=\"M{0} {1}v5H{2}v-5\"/><text class=\"v-place v-halo\" "
        "x=\"{0}\" y=\"{3}\">{4}</text>",
        number(bar.begin), number(bar.top + kBar + 3), number(bar.end), number(bar.top + kBar + 21),
        html(text));
    width_ = std::max(width_, bar.begin + static_cast<double>(columns(text)) * kSansWidth);
  }

  void add_edges() {
    for (std::size_t t = 0; t < shown_; ++t) {  // labels keep off bars and their texts
      const Bar& bar = bars_[t];
      taken_.push_back({bar.begin, bar.top - 1, bar.end, bar.top + kBar + 1});
      taken_.push_back({bar.begin, text_y(t) - 12, bar.begin + bar.text_width, text_y(t) + 4});
    }
    for (const GraphEdge& edge : certain_edges(exhibit_)) {
      if (edge.from < shown_ && edge.to < shown_ && edge.from != edge.to) {
        add_edge(*edge.shown, edge.anchors);
      }
    }
  }

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
    body_ += fmt::format(
        "<g class=\"v-edge v-{}{}\" data-ref=\"{}\" data-ends=\"{}\" tabindex=\"-1\" role=\"img\" "
        "aria-label=\"{}\"><title>{}</title><path class=\"v-hit\" d=\"{}\"/><path "
        "class=\"v-line\" d=\"{}\"/><path class=\"v-head\" d=\"{}\"/>",
        edge_kind(edge), edge.is_assumed ? " v-assumed" : "", html(anchors),
        html(edge_ends(exhibit_, edge)), html(sentence), html(sentence), path, path,
        arrow_head(curve.x[3], curve.y[3], dx, dy));
    add_label(curve, label);
    body_ += "</g>\n";
  }

  [[nodiscard]] static std::string arrow_head(double x, double y, double dx, double dy) {
    return fmt::format("M{} {}L{} {}L{} {}z", number(x), number(y), number(x + dx - dy / 2),
                       number(y + dy + dx / 2), number(x + dx + dy / 2), number(y + dy - dx / 2));
  }

  [[nodiscard]] static bool is_order(const ExhibitEdge& edge) {
    return edge.relation == Relation::kProcess || edge.relation == Relation::kRealtime;
  }

  /// Within a lane there is no room for the label.
  [[nodiscard]] bool is_from_end_to_begin(const ExhibitEdge& edge) const {
    const Bar& from = bars_[edge.from];
    const Bar& to = bars_[edge.to];
    return is_order(edge) && from.top != to.top && (!edge.by_timestamps || from.end <= to.begin);
  }

  /// From the end of a bar to the beginning of another.
  [[nodiscard]] Curve level_curve(const ExhibitEdge& edge) const {
    const Bar& from = bars_[edge.from];
    const Bar& to = bars_[edge.to];
    const double y0 = from.top + kBar / 2;
    const double y1 = to.top + kBar / 2;
    const double bend = std::max(24.0, std::abs(to.begin - from.end) / 2);
    return {{from.end, from.end + bend, to.begin - bend, to.begin}, {y0, y0, y1, y1}};
  }

  /// Between the sides of bars that face one another; within a lane below it.
  [[nodiscard]] Curve upright_curve(const ExhibitEdge& edge) const {
    const Bar& from = bars_[edge.from];
    const Bar& to = bars_[edge.to];
    const auto x = [&](std::size_t t, std::optional<std::size_t> op) {
      const Bar& bar = bars_[t];
      const bool is_at_end = t == edge.from || edge.by_timestamps;
      return op                ? op_x(t, *op)
             : !is_order(edge) ? (bar.begin + bar.end) / 2
             : is_at_end       ? bar.end - 4
                               : bar.begin + 4;
    };
    const double x0 = x(edge.from, edge.from_op);
    const double x1 = x(edge.to, edge.to_op);
    const double below0 = from.top + kBar;
    const double below1 = to.top + kBar;
    if (from.top == to.top) {
      return {{x0, x0, x1, x1}, {below0, below0 + 24, below1 + 24, below1}};
    }
    const bool is_down = from.top < to.top;
    const double y0 = is_down ? below0 : from.top;
    const double y1 = is_down ? to.top : below1;
    const double bend = (y1 - y0) / 2;
    return {{x0, x0, x1, x1}, {y0, y0 + bend, y1 - bend, y1}};
  }

  /// Where on the curve there is room for it.
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
    body_ += fmt::format(
        "<rect class=\"v-pill\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"9\"/><text "
        "class=\"v-label\" x=\"{}\" y=\"{}\">{}</text>",
        number(best.left), number(best.top), number(width), number((best.left + best.right) / 2),
        number(best.top + 13), html(label));
    width_ = std::max(width_, best.right);
  }

  [[nodiscard]] static Rect moved_inside(Rect rect) {
    const double shift = std::max(0.0, 4 - rect.left);
    return {rect.left + shift, rect.top, rect.right + shift, rect.bottom};
  }

  void add_axis() {
    const double y = y_ - kLaneGap + 18;
    body_ += fmt::format("<g class=\"v-axis\"><path class=\"v-rail\" d=\"M{} {}H{}\"/>",
                         number(left_), number(y), number(left_ + axis_.width()));
    double free_from = 0;
    const auto add_tick = [&](std::int64_t moment, double x) {
      const std::string text = tick(moment);
      const double width = static_cast<double>(columns(text)) * kSansWidth;
      body_ += fmt::format("<path class=\"v-tick\" d=\"M{} {}v5\"/>", number(x), number(y));
      if (x - width / 2 >= free_from) {
        body_ += fmt::format("<text class=\"v-place v-mid\" x=\"{}\" y=\"{}\">{}</text>", number(x),
                             number(y + 19), html(text));
        free_from = x + width / 2 + 10;
        width_ = std::max(width_, x + width / 2);
      }
    };
    if (!axis_.stretches().empty()) {
      add_tick(axis_.stretches().front().from, left_);
    }
    for (const TimeStretch& stretch : axis_.stretches()) {
      add_tick(stretch.to, left_ + stretch.to_x);
      if (!stretch.is_to_scale) {
        add_break(left_ + (stretch.from_x + stretch.to_x) / 2, y);
      }
    }
    body_ += "</g>\n";
    y_ = y + 26;
  }

  /// Two strokes across the axis.
  void add_break(double x, double y) {
    body_ += fmt::format(
        "<path class=\"v-gapmark\" d=\"M{0} {1}h7v10h-7z\"/><path class=\"v-break\" d=\"M{0} "
        "{2}l5 -12M{3} {2}l5 -12\"/>",
        number(x - 4), number(y - 5), number(y + 6), number(x + 3));
    has_breaks_ = true;
  }

  [[nodiscard]] std::string tick(std::int64_t moment) const {
    if (exhibit_.axis == ExhibitAxis::kTimestamps) {
      return fmt::to_string(moment);
    }
    const std::string& text = times_.at(moment);
    return text == "0" ? text : "+" + text;
  }

  void add_caption() {
    std::string text = "Bars run from invocation to completion, as the clients recorded them.";
    switch (exhibit_.axis) {
      case ExhibitAxis::kTime:
        break;
      case ExhibitAxis::kTimestamps:
        text = "Bars run from start to commit, by the database's timestamps.";
        break;
      case ExhibitAxis::kEvents:
        text = "The source has no times: only the order of beginnings and ends is known.";
        break;
      case ExhibitAxis::kSessions:
        text = "Only the order within each session is known; bars say nothing between sessions.";
        break;
    }
    add_caption_line(text);
    if (has_breaks_) {
      add_caption_line("Stretches marked // are not to scale.");
    }
    if (shown_ < exhibit_.txns.size()) {
      add_caption_line(fmt::format("… and {} more transactions", exhibit_.txns.size() - shown_));
    }
  }

  void add_caption_line(const std::string& text) {
    y_ += 16;
    body_ += fmt::format("<text class=\"v-place\" x=\"{}\" y=\"{}\">{}</text>\n",
                         number(kTimelineMargin), number(y_), html(text));
    width_ =
        std::max(width_, kTimelineMargin + static_cast<double>(text.size()) * kSansWidth * 0.9);
  }

  const Exhibit& exhibit_;
  std::size_t shown_;
  std::vector<Bar> bars_;
  std::vector<Lane> lanes_;
  std::vector<Rect> taken_ = {};
  TimeAxis axis_{{}, {}};
  std::map<std::int64_t, std::string> times_ = {};
  bool has_breaks_ = false;
  double left_ = kTimelineMargin;
  double width_ = 0;
  double y_ = kTimelineMargin;
  std::string body_ = {};
};

}  // namespace

std::string timeline_svg(const Exhibit& exhibit) {
  return Timeline(exhibit).draw();
}

}  // namespace elapid
