// The layout of a timeline: bars, lanes, the axis, and faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "adapter/report/exhibit.h"

namespace elapid {

// Places moments on an axis, although some are microseconds apart and others minutes.
//
// A stretch lies between two consecutive moments. As many stretches as possible are drawn to one
// scale. Shorter ones get the least room and longer ones the most, and both are marked as not to
// scale. A longer stretch never gets less room than a shorter one.

struct TimeStretch {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double from_x = 0;
  double to_x = 0;
  bool is_to_scale = true;
};

class TimeAxis {
 public:
  /// Room in pixels for a stretch.
  struct Room {
    double least = 28;
    double most = 220;
  };

  TimeAxis(std::vector<std::int64_t> moments, Room room);

  /// From 0 to width(). Moments between two of the axis's own are placed in proportion.
  [[nodiscard]] double x(std::int64_t moment) const;

  [[nodiscard]] double width() const { return stretches_.empty() ? 0 : stretches_.back().to_x; }

  [[nodiscard]] const std::vector<TimeStretch>& stretches() const { return stretches_; }

 private:
  std::vector<TimeStretch> stretches_ = {};
};

// All sizes are in pixels.
inline constexpr double kTimelineMargin = 16;
inline constexpr double kTimelineBar = 24;   ///< height of a bar
inline constexpr double kTimelineText = 19;  ///< height of a line of text beside bars
inline constexpr double kTimelineGap = 56;   ///< between lanes
inline constexpr double kTimelineOpen =
    56;  ///< length of a bar without an end after its last moment
inline constexpr double kTimelineFault = 20;         ///< height of a row of faults
inline constexpr std::size_t kTimelineColumns = 40;  ///< of an operation's text

/// A transaction's bar. Its line of text is in the bar, or beside the bar if that is too short.
struct TimelineBar {
  double begin = 0;
  double end = 0;
  double top = 0;
  std::vector<std::size_t> ops = {};  ///< the shown ones, in ExhibitTxn::ops
  double text_x = 0;
  double text_y = 0;
  double text_width = 0;
  bool is_inside = false;
  std::size_t text_row = 0;  ///< in its lane, away from the bar
};

struct TimelineLane {
  std::vector<std::size_t> txns = {};  ///< in order of time
  bool is_text_below = false;
  double bar_top = 0;
};

/// A fault's stretch of the axis, and the row with its name.
struct TimelineFault {
  double begin = 0;
  double end = 0;
  double top = 0;
};

struct TimelineLayout {
  std::vector<TimelineBar> bars = {};      ///< of the first transactions, as many as are shown
  std::vector<TimelineLane> lanes = {};    ///< by session
  std::vector<TimelineFault> faults = {};  ///< of the first faults, as many as are shown
  TimeAxis axis{{}, {}};                   ///< empty if nothing has times
  std::map<std::int64_t, std::string> times = {};  ///< the names of the axis's moments
  double left = 0;                                 ///< the beginning of the axis
  double right = 0;                                ///< of everything laid out
  double bottom = 0;                               ///< of the last lane and the gap below it
};

/// Lays out the times of an exhibit; at most 200 transactions.
[[nodiscard]] TimelineLayout timeline_layout(const Exhibit& exhibit);

/// Whether the exhibit's axis has numbers: clients' times or timestamps.
[[nodiscard]] bool has_time_axis(const Exhibit& exhibit);

/// Whether the transaction has timestamps of the database beside the times of its client.
[[nodiscard]] bool has_bracket(const Exhibit& exhibit, const ExhibitTxn& txn);

/// `T1`, `T2 (aborted)`, and its width in bold.
/// ` (serializable, outcome unknown)`: the asked level, and the status if it did not commit.
[[nodiscard]] std::string timeline_remark(const ExhibitTxn& txn);
[[nodiscard]] std::string timeline_head(const ExhibitTxn& txn);
[[nodiscard]] double timeline_head_width(const ExhibitTxn& txn);

/// The width of an operation's text, and of the gap after the operation before.
[[nodiscard]] double timeline_op_width(const ExhibitOp& op);

/// The point where an edge meets the bar: at the operation's text, or anywhere in the bar, because
/// the moment of an operation within its transaction is unknown.
[[nodiscard]] double timeline_op_x(const ExhibitTxn& txn, const TimelineBar& bar, std::size_t op);

}  // namespace elapid
