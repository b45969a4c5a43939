// Where moments stand on an axis, when some are microseconds apart and others minutes.
//
// What lies between two moments that follow one another is a stretch. As many stretches as can be
// are drawn to one scale; shorter ones get the least room, longer ones the most, and both are
// marked as not to scale. Longer ones never get less room than shorter ones.
#pragma once

#include <cstddef>
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
