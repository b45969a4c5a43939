#include "adapter/cli/scan_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace elapid {
namespace {

constexpr std::size_t kFormatWidth = 16;
constexpr std::size_t kWorkloadWidth = 12;
constexpr std::size_t kNumberWidth = 12;
constexpr std::size_t kSecondsWidth = 9;
constexpr std::string_view kNotRead = "-";

/// Columns for a verdict are at least as wide as `unknown`.
std::size_t width_of(const std::string& level) {
  return std::max<std::size_t>(level.size(), 7);
}

std::string_view or_dash(const std::string& text) {
  return text.empty() ? kNotRead : std::string_view(text);
}

}  // namespace

ScanTable::ScanTable(const std::vector<std::string>& paths, std::vector<std::string> levels)
    : path_width_(4), levels_(std::move(levels)) {
  for (const std::string& path : paths) {
    path_width_ = std::max(path_width_, path.size());
  }
}

std::string ScanTable::header() const {
  std::string out =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}", "path", path_width_, "format", kFormatWidth,
                  "workload", kWorkloadWidth, "transactions", kNumberWidth);
  for (const std::string& level : levels_) {
    out += fmt::format("  {:<{}}", level, width_of(level));
  }
  return out + fmt::format("  {:>{}}  anomalies\n", "seconds", kSecondsWidth);
}

std::string ScanTable::line(const ScanRow& row) const {
  std::string out = fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}", row.path, path_width_,
                                or_dash(row.format), kFormatWidth, or_dash(row.workload),
                                kWorkloadWidth, row.transactions, kNumberWidth);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    out += fmt::format("  {:<{}}", i < row.verdicts.size() ? row.verdicts[i] : kNotRead,
                       width_of(levels_[i]));
  }
  const std::string last = row.problem.empty() ? fmt::format("{}", fmt::join(row.anomalies, " "))
                                               : "not checked: " + row.problem;
  out += fmt::format("  {:>{}.3f}  {}", row.seconds, kSecondsWidth, last);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string row_map(const ScanRow& row, const std::vector<std::string>& levels, Syntax syntax) {
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  out.key("path").string(row.path);
  out.key("format").string(row.format);
  out.key("workload").string(row.workload);
  out.key("transactions").integer(static_cast<std::int64_t>(row.transactions));
  out.key("verdicts").open(Container::kMap);
  for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
    out.key(levels[i]).string(row.verdicts[i]);
  }
  out.close();
  out.key("anomalies").open(Container::kVector);
  for (const std::string& anomaly : row.anomalies) {
    out.string(anomaly);
  }
  out.close();
  out.key("seconds").form(fmt::format("{:.3f}", row.seconds));
  out.key("problem").string(row.problem);
  out.key("exit-code").integer(static_cast<std::int64_t>(row.code));
  out.close();
  return std::move(out).take();
}

}  // namespace elapid
