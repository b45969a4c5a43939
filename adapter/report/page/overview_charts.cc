#include "adapter/report/page/overview_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "adapter/report/views/svg_text.h"

namespace elapid {
namespace {

constexpr double kChartWidth = 1000;  // of all charts, whose height is 100
constexpr double kChartHeight = 100;

/// A height by part, from 0 (top) to 1; nothing where the part has no value.
using Heights = std::function<std::optional<double>(const OverviewPart&)>;

/// A stepped line with gaps where there is no height; `is_area` closes it along the bottom.
std::string steps(const ReportOverview& overview, const Heights& height, bool is_area) {
  const double width = kChartWidth / static_cast<double>(overview.parts.size());
  std::string path = is_area ? "M0 100" : "";
  std::optional<double> last;
  for (std::size_t i = 0; i < overview.parts.size(); ++i) {
    const std::optional<double> y = height(overview.parts[i]);
    if (y) {
      const std::string to = number(*y * kChartHeight);
      path += is_area || last ? "V" + to
                              : fmt::format("M{} {}", number(width * static_cast<double>(i)), to);
      path += "H" + number(width * static_cast<double>(i + 1));
    }
    last = y;
  }
  return path + (is_area ? "V100z" : "");
}

std::string line(std::string_view kind, const std::string& path) {
  return path.empty() ? "" : fmt::format("<path class=\"{}\" d=\"{}\"/>", kind, path);
}

std::string chart(std::string_view label, const std::string& content) {
  return fmt::format(
      "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{}\">{}</svg>",
      label, content);
}

/// The bands of faults. The first chart defines them, the others refer to them.
std::string bands(const ReportOverview& overview) {
  std::string shapes;
  for (const OverviewFault& fault : overview.faults) {
    const double from = fault.from * kChartWidth;
    shapes += fault.lasts
                  ? fmt::format("<path class=\"ov-shade\" d=\"M{} 0H{}V100H{}z\"/>", number(from),
                                number(fault.to * kChartWidth), number(from))
                  : fmt::format("<path class=\"ov-moment\" d=\"M{} 0V100\"/>", number(from));
  }
  return "<g id=\"ov-faults\">" + shapes + "</g>";
}

constexpr std::string_view kSameBands = "<use href=\"#ov-faults\"/>";

/// The decades of all values shown, as exponents of 10 ns.
std::pair<int, int> decades(const ReportOverview& overview) {
  double least = 1e18;
  double most = 1;
  for (const OverviewPart& part : overview.parts) {
    if (part.median) {
      least = std::min(least, std::max(1.0, static_cast<double>(*part.median)));
      most = std::max(most, static_cast<double>(std::max(*part.slow, part.longest.value_or(0))));
    }
  }
  const int from = static_cast<int>(std::floor(std::log10(std::min(least, most))));
  const int to = static_cast<int>(std::ceil(std::log10(most)));
  return {from, std::max(to, from + 1)};
}

double latency_height(const ReportOverview& overview, std::int64_t ns) {
  const auto [from, to] = decades(overview);
  const double decade = std::log10(std::max(1.0, static_cast<double>(ns)));
  return 1 - (decade - from) / (to - from);
}

}  // namespace

std::size_t highest_count(const ReportOverview& overview) {
  std::size_t most = 1;
  for (const OverviewPart& part : overview.parts) {
    most = std::max({most, part.committed, part.aborted, part.indeterminate});
  }
  return most;
}

std::string rate_chart(const ReportOverview& overview, bool defines_bands) {
  const auto top = static_cast<double>(highest_count(overview));
  const auto height = [top](std::size_t OverviewPart::*count) {
    return [top, count](const OverviewPart& part) {
      return std::optional(1 - static_cast<double>(part.*count) / top);
    };
  };
  std::string content = defines_bands ? bands(overview) : std::string(kSameBands);
  content += line("ov-area", steps(overview, height(&OverviewPart::committed), true));
  if (overview.all.aborted > 0) {
    content += line("ov-line", steps(overview, height(&OverviewPart::aborted), false));
  }
  if (overview.all.indeterminate > 0) {
    content +=
        line("ov-line ov-dashed", steps(overview, height(&OverviewPart::indeterminate), false));
  }
  return chart("Transactions by what became of them", content);
}

std::string latency_chart(const ReportOverview& overview) {
  const auto height = [&](std::optional<std::int64_t> OverviewPart::*latency) {
    return [&overview, latency](const OverviewPart& part) -> std::optional<double> {
      return part.*latency ? std::optional(latency_height(overview, *(part.*latency)))
                           : std::nullopt;
    };
  };
  std::string grid;
  for (const auto& [y, ns] : latency_lines(overview)) {
    grid += fmt::format("M0 {}H1000", number(y * kChartHeight));
  }
  return chart(
      "Latency of committed transactions",
      std::string(kSameBands) + line("ov-grid", grid) +
          line("ov-line ov-dotted", steps(overview, height(&OverviewPart::longest), false)) +
          line("ov-line ov-dotted", steps(overview, height(&OverviewPart::rare), false)) +
          line("ov-line ov-dashed", steps(overview, height(&OverviewPart::slow), false)) +
          line("ov-line", steps(overview, height(&OverviewPart::median), false)));
}

std::vector<std::pair<double, std::int64_t>> latency_lines(const ReportOverview& overview) {
  constexpr int kMostLines = 4;
  const auto [from, to] = decades(overview);
  const int step = (to - from + kMostLines - 2) / (kMostLines - 1);
  std::vector<std::pair<double, std::int64_t>> lines;
  for (int decade = from; decade <= to; decade += step) {
    lines.emplace_back(1 - static_cast<double>(decade - from) / (to - from),
                       static_cast<std::int64_t>(std::pow(10.0, decade)));
  }
  return lines;
}

double greatest_offset(const ReportOverview& overview) {
  double most = 1e-6;
  for (const OverviewClock& clock : overview.clocks) {
    for (const auto& [at, seconds] : clock.offsets) {
      most = std::max(most, std::abs(seconds));
    }
  }
  return most;
}

std::string clock_chart(const ReportOverview& overview) {
  const double most = greatest_offset(overview);
  std::string content = std::string(kSameBands) + line("ov-grid", "M0 50H1000");
  for (const OverviewClock& clock : overview.clocks) {
    std::string path;
    for (const auto& [at, seconds] : clock.offsets) {
      const std::string x = number(at * kChartWidth);
      const std::string y = number((1 - seconds / most) / 2 * kChartHeight);
      path += path.empty() ? fmt::format("M{} {}", x, y) : fmt::format("H{}V{}", x, y);
    }
    content += line("ov-line", path + "H1000");
  }
  return chart("How far the clocks of nodes were off", content);
}

std::string heat_chart(const ReportOverview& overview) {
  const double width = kChartWidth / static_cast<double>(overview.parts.size());
  std::size_t most = 1;
  for (const OverviewPart& part : overview.parts) {
    most = std::max(most, part.anomalies);
  }
  std::string content(kSameBands);
  for (std::size_t i = 0; i < overview.parts.size(); ++i) {
    const std::size_t count = overview.parts[i].anomalies;
    if (count > 0) {
      const std::size_t heat = 1 + 3 * (count - 1) / most;  // 1 to 3
      content += fmt::format("<path class=\"ov-heat h{}\" d=\"M{} 0h{}v100h-{}z\"/>", heat,
                             number(width * static_cast<double>(i)), number(width), number(width));
    }
  }
  return chart("Where the anomalies are", content);
}

std::vector<std::pair<double, std::uint64_t>> overview_ticks(const ReportOverview& overview) {
  constexpr std::uint64_t kMost = 6;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  // Round numbers for people: minutes and hours are no powers of ten.
  constexpr std::array<std::uint64_t, 12> kLong = {10 * kSecond,   20 * kSecond,   30 * kSecond,
                                                   60 * kSecond,   120 * kSecond,  300 * kSecond,
                                                   600 * kSecond,  1200 * kSecond, 1800 * kSecond,
                                                   3600 * kSecond, 7200 * kSecond, 18000 * kSecond};
  std::uint64_t step = 0;
  for (std::uint64_t unit = 1; step == 0; unit *= 10) {
    for (const std::uint64_t times : {1U, 2U, 5U}) {
      if (step == 0 && overview.length / (unit * times) <= kMost) {
        step = unit * times;
      }
    }
  }
  if (overview.axis == OverviewAxis::kTime && step >= kLong.front()) {
    const auto* const round = std::ranges::find_if(
        kLong, [&](std::uint64_t length) { return overview.length / length <= kMost; });
    step = round == kLong.end() ? step : *round;
  }
  std::vector<std::pair<double, std::uint64_t>> ticks;
  for (std::uint64_t at = 0; at <= overview.length; at += step) {
    ticks.emplace_back(static_cast<double>(at) / static_cast<double>(overview.length), at);
  }
  return ticks;
}

}  // namespace elapid
