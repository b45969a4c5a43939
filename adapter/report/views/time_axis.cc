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

/// With so many digits that count.
std::string rounded(double value, int digits) {
  const int before = value < 10 ? 1 : value < 100 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, std::max(0, digits - before));
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

std::string duration_text(std::int64_t ns, int digits) {
  constexpr std::array<std::pair<double, std::string_view>, 3> kUnits = {
      {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}};
  const auto value = static_cast<double>(ns);
  if (ns == 0) {
    return "0";
  }
  if (value >= 60e9) {
    const std::int64_t minutes = ns / 60'000'000'000;
    const double seconds = static_cast<double>(ns % 60'000'000'000) / 1e9;
    return fmt::format("{} min {} s", minutes, rounded(seconds, digits - 1));
  }
  for (const auto& [unit, name] : kUnits) {
    if (value >= unit) {
      return fmt::format("{} {}", rounded(value / unit, digits), name);
    }
  }
  return fmt::format("{} ns", ns);
}

std::map<std::int64_t, std::string> moment_texts(std::vector<std::int64_t> moments) {
  constexpr int kMostDigits = 12;
  std::ranges::sort(moments);
  std::map<std::int64_t, std::string> texts;
  const auto after_first = [&](std::int64_t moment) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(moment) -
                                     static_cast<std::uint64_t>(moments.front()));
  };
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const std::int64_t time = after_first(moments[i]);
    std::string text = duration_text(time);
    if (i > 0 && moments[i] != moments[i - 1]) {
      const std::int64_t before = after_first(moments[i - 1]);
      int digits = 3;
      while (digits < kMostDigits && duration_text(before, digits) == text) {
        text = duration_text(time, ++digits);
      }
      if (digits > 3) {  // one more, so that the difference is not mostly rounding
        texts[moments[i - 1]] = duration_text(before, digits + 1);
        text = duration_text(time, digits + 1);
      }
    }
    texts[moments[i]] = text;
  }
  return texts;
}

}  // namespace elapid
