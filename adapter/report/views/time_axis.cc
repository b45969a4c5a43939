#include "adapter/report/views/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

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

/// With three digits that count.
std::string three_digits(double value) {
  std::string text = fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text;
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
  return moment <= after->from ? after->from_x : after->to_x;
}

std::string duration_text(std::int64_t ns) {
  constexpr std::array<std::pair<double, std::string_view>, 3> kUnits = {
      {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}};
  const auto value = static_cast<double>(ns);
  if (ns == 0) {
    return "0";
  }
  if (value >= 60e9) {
    const std::int64_t seconds = ns / 1'000'000'000;
    return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  }
  for (const auto& [unit, name] : kUnits) {
    if (value >= unit) {
      return fmt::format("{} {}", three_digits(value / unit), name);
    }
  }
  return fmt::format("{} ns", ns);
}

}  // namespace elapid
