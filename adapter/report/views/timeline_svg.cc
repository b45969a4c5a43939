// The timeline of an exhibit as an SVG picture.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/report/html.h"
#include "adapter/report/views/svg_text.h"
#include "adapter/report/views/timeline_edges.h"
#include "adapter/report/views/timeline_layout.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

constexpr std::size_t kCaptionColumns = 120;

class Timeline {
 public:
  explicit Timeline(const Exhibit& exhibit)
      : exhibit_(exhibit), layout_(timeline_layout(exhibit)), y_(layout_.bottom) {}

  std::string draw() {
    add_faults();
    add_lanes();
    const TimelineEdges edges = timeline_edges(exhibit_, layout_);
    layout_.right = std::max(layout_.right, edges.right);
    body_ += edges.svg;
    for (std::size_t t = 0; t < shown(); ++t) {
      add_bar(t);
    }
    if (has_time_axis(exhibit_)) {
      add_axis();
    }
    add_caption();
    return svg_start(exhibit_, "timeline", layout_.right + kTimelineMargin, y_ + kTimelineMargin) +
           body_ + "</svg>\n";
  }

 private:
  [[nodiscard]] std::size_t shown() const { return layout_.bars.size(); }

  /// Draws a band behind all lanes for a fault that lasts, and a line for one of a moment.
  void add_faults() {
    const double bottom = layout_.bottom - kTimelineGap + 10;
    for (std::size_t i = 0; i < layout_.faults.size(); ++i) {
      const ExhibitFault& fault = exhibit_.faults[i];
      const TimelineFault& place = layout_.faults[i];
      const std::string words = "Nemesis: " + fitted(fault.words, 160);
      body_ += fmt::format(
          "<g class=\"v-fault\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>", html(words));
      if (fault.lasts) {
        body_ += fmt::format(
            "<rect class=\"v-shade\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/><path "
            "class=\"v-begin\" d=\"M{0} {1}H{4}\"/>",
            number(place.begin), number(place.top), number(place.end - place.begin),
            number(bottom - place.top), number(place.end));
      } else {
        body_ += fmt::format("<path class=\"v-moment\" d=\"M{} {}V{}\"/>", number(place.begin),
                             number(place.top), number(bottom));
      }
      body_ += fmt::format("<text class=\"v-halo\" x=\"{}\" y=\"{}\">{}</text></g>\n",
                           number(place.begin + 5), number(place.top + 14),
                           html(fitted(fault.label, kTimelineColumns)));
    }
    if (!layout_.faults.empty()) {
      body_ += fmt::format("<text class=\"v-place\" x=\"{}\" y=\"{}\">nemesis</text>\n",
                           number(kTimelineMargin), number(kTimelineMargin + 14));
    }
  }

  void add_lanes() {
    for (std::size_t s = 0; s < layout_.lanes.size(); ++s) {
      const double middle = layout_.lanes[s].bar_top + kTimelineBar / 2;
      body_ += fmt::format(
          "<g class=\"v-lane\"><path class=\"v-rail\" d=\"M{} {}H{}\"/><text class=\"v-place\" "
          "x=\"{}\" y=\"{}\">{}</text></g>\n",
          number(layout_.left - 8), number(middle), number(layout_.right), number(kTimelineMargin),
          number(middle + 4), html(exhibit_.sessions[s]));
    }
  }

  void add_bar(std::size_t t) {
    const ExhibitTxn& txn = exhibit_.txns[t];
    const TimelineBar& bar = layout_.bars[t];
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
          number(bar.begin), number(bar.top), number(bar.end - bar.begin), number(kTimelineBar));
    } else {  // open at the right
      body_ += fmt::format(
          "<path class=\"v-bar v-open\" d=\"M{0} {1}H{2}a5 5 0 0 0 -5 5v{3}a5 5 0 0 0 5 5H{0}\"/>",
          number(bar.end), number(bar.top), number(bar.begin + 5), number(kTimelineBar - 10));
      body_ += fmt::format("<text class=\"v-status v-mid\" x=\"{}\" y=\"{}\">?</text>",
                           number(bar.end - 10), number(bar.top + 17));
    }
    if (bar.text_row > 0) {
      body_ += fmt::format("<path class=\"v-leader\" d=\"M{} {}V{}\"/>", number(bar.begin + 2),
                           number(bar.top + kTimelineBar / 2), number(layout_.bars[t].text_y));
    }
    add_text(t);
    for (const std::size_t o : bar.ops) {
      if (!bar.is_inside) {
        body_ +=
            fmt::format("<circle class=\"v-dot{}\" data-ref=\"{}\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>",
                        txn.ops[o].is_in_focus ? " v-focus" : "", html(txn.ops[o].anchor),
                        number(timeline_op_x(txn, bar, o)), number(bar.top + kTimelineBar / 2));
      }
    }
    if (has_bracket(exhibit_, txn)) {
      add_bracket(txn, bar);
    }
    body_ += "</g>\n";
  }

  void add_text(std::size_t t) {
    const ExhibitTxn& txn = exhibit_.txns[t];
    body_ += fmt::format(
        "<text class=\"v-code{}\" x=\"{}\" y=\"{}\"><tspan class=\"v-name\">{}</tspan>{}",
        layout_.bars[t].is_inside ? "" : " v-halo", number(layout_.bars[t].text_x),
        number(layout_.bars[t].text_y), html(txn.label), html(timeline_remark(txn)));
    double x = layout_.bars[t].text_x + timeline_head_width(txn);
    for (const std::size_t o : layout_.bars[t].ops) {
      body_ += fmt::format("<tspan class=\"v-op{}\" data-ref=\"{}\" x=\"{}\">{}</tspan>",
                           txn.ops[o].is_in_focus ? " v-focus" : "", html(txn.ops[o].anchor),
                           number(x + kMonoWidth), html(fitted(txn.ops[o].text, kTimelineColumns)));
      x += timeline_op_width(txn.ops[o]);
    }
    body_ += "</text>";
  }

  [[nodiscard]] std::string aria(const ExhibitTxn& txn) const {
    return timeline_head(txn) + ", " + short_place(exhibit_, txn);
  }

  void add_bracket(const ExhibitTxn& txn, const TimelineBar& bar) {
    const auto words = [](std::string_view word, const std::optional<std::int64_t>& time) {
      return time ? fmt::format("{} {}", word, *time) : fmt::format("no {}", word);
    };
    const std::string text =
        words("start", txn.start_timestamp) + " … " + words("commit", txn.commit_timestamp);
    body_ += fmt::format(
        "<path class=\"v-bracket\" d=\"M{0} {1}v5H{2}v-5\"/><text class=\"v-place v-halo\" "
        "x=\"{0}\" y=\"{3}\">{4}</text>",
        number(bar.begin), number(bar.top + kTimelineBar + 3), number(bar.end),
        number(bar.top + kTimelineBar + 21), html(text));
    layout_.right =
        std::max(layout_.right, bar.begin + static_cast<double>(columns(text)) * kSansWidth);
  }

  void add_axis() {
    const double y = y_ - kTimelineGap + 18;
    body_ +=
        fmt::format("<g class=\"v-axis\"><path class=\"v-rail\" d=\"M{} {}H{}\"/>",
                    number(layout_.left), number(y), number(layout_.left + layout_.axis.width()));
    double free_from = 0;
    const auto add_tick = [&](std::int64_t moment, double x) {
      const std::string text = tick(moment);
      const double width = static_cast<double>(columns(text)) * kSansWidth;
      body_ += fmt::format("<path class=\"v-tick\" d=\"M{} {}v5\"/>", number(x), number(y));
      if (x - width / 2 >= free_from) {
        body_ += fmt::format("<text class=\"v-place v-mid\" x=\"{}\" y=\"{}\">{}</text>", number(x),
                             number(y + 19), html(text));
        free_from = x + width / 2 + 10;
        layout_.right = std::max(layout_.right, x + width / 2);
      }
    };
    if (!layout_.axis.stretches().empty()) {
      add_tick(layout_.axis.stretches().front().from, layout_.left);
    }
    for (const TimeStretch& stretch : layout_.axis.stretches()) {
      add_tick(stretch.to, layout_.left + stretch.to_x);
      if (!stretch.is_to_scale) {
        add_break(layout_.left + (stretch.from_x + stretch.to_x) / 2, y);
      }
    }
    body_ += "</g>\n";
    y_ = y + 26;
  }

  /// Draws two strokes across the axis.
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
    const std::string& text = layout_.times.at(moment);
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
    if (!exhibit_.fault_note.empty()) {
      add_caption_line(fitted(exhibit_.fault_note, kCaptionColumns));
    }
    if (layout_.faults.size() < exhibit_.faults.size()) {
      add_caption_line(fmt::format("… and {} more acts of the nemesis",
                                   exhibit_.faults.size() - layout_.faults.size()));
    }
    if (shown() < exhibit_.txns.size()) {
      add_caption_line(fmt::format("… and {} more transactions", exhibit_.txns.size() - shown()));
    }
  }

  void add_caption_line(const std::string& text) {
    y_ += 16;
    body_ += fmt::format("<text class=\"v-place\" x=\"{}\" y=\"{}\">{}</text>\n",
                         number(kTimelineMargin), number(y_), html(text));
    layout_.right = std::max(layout_.right,
                             kTimelineMargin + static_cast<double>(text.size()) * kSansWidth * 0.9);
  }

  const Exhibit& exhibit_;
  TimelineLayout layout_;
  bool has_breaks_ = false;
  double y_;
  std::string body_ = {};
};

}  // namespace

std::string timeline_svg(const Exhibit& exhibit) {
  return Timeline(exhibit).draw();
}

}  // namespace elapid
