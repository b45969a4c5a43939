// Numbers about the service, in the text format of Prometheus.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace elapid::http {

/// Counters. Safe from several threads.
class Metrics {
 public:
  /// `labels` as written: `code="200"`; empty for none. Their values are few and known.
  void add(const std::string& name, const std::string& labels, double amount = 1);

  /// A counter's lines: `elapid_requests_total{code="200"} 12`.
  [[nodiscard]] std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::string, double>> counters_ = {};
};

/// One metric's lines, with its type and its labelled values.
[[nodiscard]] std::string metric_lines(std::string_view name, std::string_view type,
                                       const std::map<std::string, double>& values);

}  // namespace elapid::http
