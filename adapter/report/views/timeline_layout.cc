#include "adapter/report/views/timeline_layout.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "adapter/report/duration_text.h"
#include "adapter/report/views/svg_text.h"

namespace elapid {
namespace {

constexpr double kEventStep = 36;  // at least, if only the order is known
constexpr double kBarPad = 8;
constexpr double kLeastBar = 10;
constexpr double kLeastFault = 6;
constexpr double kFaultTextGap = 14;
constexpr std::size_t kMaxTxns = 200;
constexpr std::size_t kMaxFaults = 12;

class TimelinePlacer {
 public:
  explicit TimelinePlacer(const Exhibit& exhibit) : exhibit_(exhibit) {
    layout_.bars.resize(std::min(exhibit.txns.size(), kMaxTxns));
    layout_.lanes.resize(exhibit.sessions.size());
    layout_.faults.resize(std::min(exhibit.faults.size(), kMaxFaults));
  }

  TimelineLayout place() {
    place_bars();
    place_faults();
    place_lanes();
    place_texts();
    layout_.bottom = y_;
    return std::move(layout_);
  }

 private:
  [[nodiscard]] const ExhibitTxn& txn(std::size_t t) const { return exhibit_.txns[t]; }

  [[nodiscard]] std::optional<std::int64_t> begin_time(const ExhibitTxn& txn) const {
    return exhibit_.axis == ExhibitAxis::kTime ? txn.invoked : txn.start_timestamp;
  }

  [[nodiscard]] std::optional<std::int64_t> end_time(const ExhibitTxn& txn) const {
    return exhibit_.axis == ExhibitAxis::kTime ? txn.completed : txn.commit_timestamp;
  }

  void place_bars() {
    find_left();
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      layout_.lanes[txn(t).session].txns.push_back(t);
      choose_ops(t);
    }
    for (TimelineLane& lane : layout_.lanes) {
      std::ranges::sort(lane.txns, {}, [this](std::size_t t) { return txn(t).first_event; });
    }
    if (has_time_axis(exhibit_)) {
      place_by_time();
    } else if (exhibit_.axis == ExhibitAxis::kEvents) {
      place_by_events();
    } else {
      place_by_sessions();
    }
    layout_.right = layout_.left;
    for (const TimelineBar& bar : layout_.bars) {
      layout_.right = std::max(layout_.right, bar.end);
    }
    const double open_end = layout_.right + kTimelineOpen;
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      TimelineBar& bar = layout_.bars[t];
      bar.end = txn(t).last_event ? bar.end : open_end;
      layout_.right = std::max(layout_.right, bar.end);
    }
  }

  /// Makes room for the names of lanes.
  void find_left() {
    layout_.left = kTimelineMargin;
    const auto make_room = [this](std::string_view name) {
      layout_.left = std::max(
          layout_.left, kTimelineMargin + static_cast<double>(columns(name)) * kSansWidth + 20);
    };
    for (const std::string& session : exhibit_.sessions) {
      make_room(session);
    }
    if (!layout_.faults.empty()) {
      make_room("nemesis");
    }
  }

  /// Chooses the operations in focus; if none is, all of them.
  void choose_ops(std::size_t t) {
    const std::vector<ExhibitOp>& ops = txn(t).ops;
    const bool has_focus = std::ranges::any_of(ops, &ExhibitOp::is_in_focus);
    TimelineBar& bar = layout_.bars[t];
    bar.text_width = timeline_head_width(txn(t));
    for (std::size_t o = 0; o < ops.size(); ++o) {
      if (!has_focus || ops[o].is_in_focus) {
        bar.ops.push_back(o);
        bar.text_width += timeline_op_width(ops[o]);
      }
    }
  }

  void place_by_time() {
    std::vector<std::int64_t> moments;
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      for (const auto time : {begin_time(txn(t)), end_time(txn(t))}) {
        if (time) {
          moments.push_back(*time);
        }
      }
    }
    const double least = std::clamp(480 / static_cast<double>(moments.size() + 1), 12.0, 72.0);
    layout_.times = moment_texts(moments);
    layout_.axis = TimeAxis(moments, {.least = least, .most = 5.5 * least});
    const TimeAxis& axis = layout_.axis;
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      const auto begin = begin_time(txn(t));
      const auto end = end_time(txn(t));
      TimelineBar& bar = layout_.bars[t];
      bar.begin = layout_.left + (begin ? axis.x(*begin) : end ? axis.x(*end) : 0);
      bar.end = std::max(bar.begin + kLeastBar, layout_.left + (end ? axis.x(*end) : 0));
    }
  }

  /// Places bars by their events. A bar is at least as wide as its text.
  void place_by_events() {
    std::vector<std::pair<std::size_t, std::pair<bool, std::size_t>>> events;  // is an end; txn
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      events.push_back({txn(t).first_event, {false, t}});
      if (txn(t).last_event) {
        events.push_back({*txn(t).last_event, {true, t}});
      }
    }
    std::ranges::sort(events);
    double x = layout_.left;
    for (const auto& [event, what] : events) {
      const auto& [is_end, t] = what;
      TimelineBar& bar = layout_.bars[t];
      const double text = bar.text_width + 2 * kBarPad;
      x = is_end ? std::max(x, bar.begin + text) : x;
      bar.begin = is_end ? bar.begin : x;
      bar.end = is_end ? x : x + text;
      event_x_.push_back(x);
      x += kEventStep;
    }
  }

  /// Places the bars of each lane without regard to other lanes.
  void place_by_sessions() {
    for (const TimelineLane& lane : layout_.lanes) {
      double x = layout_.left;
      for (const std::size_t t : lane.txns) {
        TimelineBar& bar = layout_.bars[t];
        bar.begin = x;
        bar.end = x + bar.text_width + 2 * kBarPad;
        x = bar.end + kEventStep;
      }
    }
  }

  /// Places faults. Names that would overlap get rows of their own.
  void place_faults() {
    std::vector<double> row_ends;
    for (std::size_t i = 0; i < layout_.faults.size(); ++i) {
      const ExhibitFault& shown = exhibit_.faults[i];
      TimelineFault& fault = layout_.faults[i];
      fault.begin = shown.from || !has_time_axis(exhibit_) ? fault_x(shown.from, shown.first_event)
                                                           : layout_.left;
      fault.end = !shown.lasts ? fault.begin
                  : shown.to || !has_time_axis(exhibit_)
                      ? std::max(fault.begin + kLeastFault, fault_x(shown.to, shown.last_event))
                      : layout_.right;
      const auto row =
          std::ranges::find_if(row_ends, [&](double end) { return end <= fault.begin; });
      fault.top = y_ + kTimelineFault * static_cast<double>(row - row_ends.begin());
      const double text =
          static_cast<double>(columns(fitted(shown.label, kTimelineColumns))) * kSansWidth;
      const double end = std::max(fault.end, fault.begin + text) + kFaultTextGap;
      layout_.right = std::max(layout_.right, end);
      row == row_ends.end() ? row_ends.push_back(end) : static_cast<void>(*row = end);
    }
    y_ += row_ends.empty() ? 0 : kTimelineFault * static_cast<double>(row_ends.size()) + 18;
  }

  [[nodiscard]] double fault_x(std::optional<std::int64_t> time, std::size_t events_before) const {
    if (has_time_axis(exhibit_)) {
      return layout_.left + layout_.axis.x(time.value_or(0));
    }
    if (events_before == 0 || event_x_.empty()) {
      return layout_.left;
    }
    return event_x_[std::min(events_before, event_x_.size()) - 1] + kEventStep / 2;
  }

  /// Places lanes. Texts outside of bars stand away from other lanes where possible, and get rows
  /// where they would overlap.
  void place_lanes() {
    std::vector<TimelineLane>& lanes = layout_.lanes;
    for (TimelineLane& lane : lanes) {
      lane.is_text_below = lanes.size() > 1 && &lane == &lanes.back();
      const double texts = static_cast<double>(text_rows(lane)) * kTimelineText;
      lane.bar_top = y_ + (lane.is_text_below ? 0 : texts);
      for (const std::size_t t : lane.txns) {
        layout_.bars[t].top = lane.bar_top;
      }
      y_ += texts + kTimelineBar + (has_brackets(lane) ? 20 : 0) + kTimelineGap;
    }
  }

  /// Places the texts that do not fit into bars, and returns the number of their rows.
  std::size_t text_rows(const TimelineLane& lane) {
    std::vector<double> row_ends;
    for (const std::size_t t : lane.txns) {
      TimelineBar& bar = layout_.bars[t];
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
      layout_.right = std::max(layout_.right, bar.begin + bar.text_width);
    }
    return row_ends.size();
  }

  [[nodiscard]] bool has_brackets(const TimelineLane& lane) const {
    return std::ranges::any_of(lane.txns,
                               [this](std::size_t t) { return has_bracket(exhibit_, txn(t)); });
  }

  void place_texts() {
    for (std::size_t t = 0; t < layout_.bars.size(); ++t) {
      TimelineBar& bar = layout_.bars[t];
      const double away = kTimelineText * static_cast<double>(bar.text_row);
      const bool is_below = layout_.lanes[txn(t).session].is_text_below;
      bar.text_x = bar.begin + (bar.is_inside ? kBarPad : bar.text_row > 0 ? 5 : 0);
      bar.text_y = bar.is_inside ? bar.top + 16.5
                   : is_below    ? bar.top + kTimelineBar + 15 + away
                                 : bar.top - 7 - away;
    }
  }

  const Exhibit& exhibit_;
  TimelineLayout layout_ = {};
  std::vector<double> event_x_ = {};  // by event, where only the order is known
  double y_ = kTimelineMargin;
};

}  // namespace

TimelineLayout timeline_layout(const Exhibit& exhibit) {
  return TimelinePlacer(exhibit).place();
}

bool has_time_axis(const Exhibit& exhibit) {
  return exhibit.axis == ExhibitAxis::kTime || exhibit.axis == ExhibitAxis::kTimestamps;
}

bool has_bracket(const Exhibit& exhibit, const ExhibitTxn& txn) {
  return exhibit.axis != ExhibitAxis::kTimestamps && (txn.start_timestamp || txn.commit_timestamp);
}

std::string timeline_remark(const ExhibitTxn& txn) {
  const std::string_view status = status_word(txn.status);
  const std::string remark = fitted(txn.level, kTimelineColumns) +
                             (txn.level.empty() || status.empty() ? "" : ", ") +
                             std::string(status);
  return remark.empty() ? "" : " (" + remark + ")";
}

std::string timeline_head(const ExhibitTxn& txn) {
  return txn.label + timeline_remark(txn);
}

double timeline_head_width(const ExhibitTxn& txn) {
  return static_cast<double>(columns(timeline_head(txn))) * 8.5;
}

double timeline_op_width(const ExhibitOp& op) {
  return static_cast<double>(columns(fitted(op.text, kTimelineColumns)) + 2) * kMonoWidth;
}

double timeline_op_x(const ExhibitTxn& txn, const TimelineBar& bar, std::size_t op) {
  const auto place = static_cast<std::size_t>(std::ranges::find(bar.ops, op) - bar.ops.begin());
  if (bar.is_inside && place < bar.ops.size()) {
    double x = bar.text_x + timeline_head_width(txn);
    for (std::size_t i = 0; i < place; ++i) {
      x += timeline_op_width(txn.ops[bar.ops[i]]);
    }
    return x + timeline_op_width(txn.ops[op]) / 2 + kMonoWidth / 2;
  }
  const double end = txn.last_event ? bar.end : bar.end - kTimelineOpen / 2;
  return bar.begin + (end - bar.begin) * static_cast<double>(place + 1) /
                         static_cast<double>(bar.ops.size() + 2);
}

namespace {

double length(const TimeStretch& stretch) {
  // Unsigned arithmetic: moments may lie far apart.
  return static_cast<double>(static_cast<std::uint64_t>(stretch.to) -
                             static_cast<std::uint64_t>(stretch.from));
}

/// The shortest length that is to scale, chosen so that most stretches are; of several such lengths
/// the longest.
double shortest_to_scale(const std::vector<TimeStretch>& stretches, double ratio) {
  double best = 1;
  std::size_t most = 0;
  for (const TimeStretch& shortest : stretches) {
    const double least = length(shortest);
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(stretches, [&](const TimeStretch& stretch) {
          return length(stretch) >= least && length(stretch) <= least * ratio;
        }));
    if (count > most || (count == most && least > best)) {
      most = count;
      best = least;
    }
  }
  return best;
}

}  // namespace

TimeAxis::TimeAxis(std::vector<std::int64_t> moments, Room room) {
  std::ranges::sort(moments);
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  for (std::size_t i = 1; i < moments.size(); ++i) {
    stretches_.push_back({.from = moments[i - 1], .to = moments[i]});
  }
  const double ratio = room.most / room.least;
  const double shortest = shortest_to_scale(stretches_, ratio);
  double x = 0;
  for (TimeStretch& stretch : stretches_) {
    const double times = length(stretch) / shortest;
    stretch.is_to_scale = times >= 1 && times <= ratio;
    stretch.from_x = x;
    x += room.least * std::clamp(times, 1.0, ratio);
    stretch.to_x = x;
  }
}

double TimeAxis::x(std::int64_t moment) const {
  const auto after = std::ranges::lower_bound(stretches_, moment, {}, &TimeStretch::to);
  if (after == stretches_.end()) {
    return width();
  }
  if (moment <= after->from) {
    return after->from_x;
  }
  const double part = length({.from = after->from, .to = moment}) / length(*after);
  return after->from_x + (after->to_x - after->from_x) * part;
}

}  // namespace elapid
