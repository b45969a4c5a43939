// Places moments on an axis, when some are microseconds apart and others minutes.
//
// A stretch lies between two consecutive moments. As many stretches as possible are drawn to one
// scale. Shorter ones get the least room and longer ones the most, and both are marked as not to
// scale. A longer stretch never gets less room than a shorter one.
#pragma once

#include <cstdint>
#include <vector>

namespace elapid {

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

  /// From 0 to width(); moments between two of the axis' own stand between them in proportion.
  [[nodiscard]] double x(std::int64_t moment) const;

  [[nodiscard]] double width() const { return stretches_.empty() ? 0 : stretches_.back().to_x; }

  [[nodiscard]] const std::vector<TimeStretch>& stretches() const { return stretches_; }

 private:
  std::vector<TimeStretch> stretches_ = {};
};

}  // namespace elapid
