#include "adapter/report/views/time_axis.h"

#include <algorithm>
#include <cstddef>

namespace elapid {
namespace {

double length(const TimeStretch& stretch) {
  // As unsigned: moments may be as far apart as numbers go.
  return static_cast<double>(static_cast<std::uint64_t>(stretch.to) -
                             static_cast<std::uint64_t>(stretch.from));
}

/// The length that gets the least room, such that most stretches are to scale; of several the
/// longest.
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
