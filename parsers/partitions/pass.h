// Reports the progress of a pass over a large history, and asks whether to go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// Called with each pass, its share in percent and the time left; false stops. May be empty.
using PassProgress = std::function<bool(std::string_view stage)>;

/// Reports a pass: `inferring dependencies: 40 %, 12 s left`.
class Pass {
 public:
  Pass(const PassProgress& progress, std::string name)
      : progress_(progress), name_(std::move(name)) {}

  static Error stopped() { return usage_error("interrupted"); }

  /// Whether to go on.
  [[nodiscard]] bool at(std::uint64_t done, std::uint64_t total) const {
    if (!progress_) {
      return true;
    }
    std::string stage = name_;
    if (total > 0) {
      const double share = static_cast<double>(done) / static_cast<double>(total);
      stage += ": " + std::to_string(static_cast<int>(share * 100)) + " %";
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
      if (done > 0) {
        const double left = passed.count() / share - passed.count();
        stage += ", " + std::to_string(static_cast<std::int64_t>(left) + 1) + " s left";
      }
    }
    return progress_(stage);
  }

 private:
  const PassProgress& progress_;
  std::string name_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace elapid
