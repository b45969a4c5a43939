#include "adapter/http/metrics.h"

#include <fmt/format.h>

namespace elapid::http {

void Metrics::add(const std::string& name, const std::string& labels, double amount) {
  const std::lock_guard lock(mutex_);
  counters_[name][labels] += amount;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [name, values] : counters_) {
    text += metric_lines(name, "counter", values);
  }
  return text;
}

std::string metric_lines(std::string_view name, std::string_view type,
                         const std::map<std::string, double>& values) {
  std::string lines = fmt::format("# TYPE {} {}\n", name, type);
  for (const auto& [labels, value] : values) {
    lines += labels.empty() ? fmt::format("{} {}\n", name, value)
                            : fmt::format("{}{{{}}} {}\n", name, labels, value);
  }
  return lines;
}

}  // namespace elapid::http
