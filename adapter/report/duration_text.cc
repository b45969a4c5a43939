#include "adapter/report/duration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace elapid {
namespace {

/// The value with this many significant digits.
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
      if (digits > 3) {  // one more digit: the difference would be mostly rounding
        texts[moments[i - 1]] = duration_text(before, digits + 1);
        text = duration_text(time, digits + 1);
      }
    }
    texts[moments[i]] = text;
  }
  return texts;
}

}  // namespace elapid
