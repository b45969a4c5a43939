// The time up to which no more transactions are expected, by the clock or by the timestamps.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "engine/online/moment.h"

namespace elapid {

/// The greatest commit at the time of a deadline ago: an earlier commit that has not arrived by now
/// is late.
class DeadlineWatermark {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DeadlineWatermark(Clock::duration deadline) : deadline_(deadline) {}

  /// Notes the greatest commit at a time; times ascend.
  void note(Clock::time_point now, Timestamp greatest) {
    constexpr int kSamples = 64;  // as many are kept at a time
    if (samples_.empty() || now - samples_.back().first >= deadline_ / kSamples) {
      samples_.emplace_back(now, greatest);
    }
  }

  /// Absent while no note is that old.
  [[nodiscard]] std::optional<Timestamp> at(Clock::time_point now) {
    while (!samples_.empty() && samples_.front().first + deadline_ <= now) {
      watermark_ = samples_.front().second;
      samples_.pop_front();
    }
    return watermark_;
  }

 private:
  Clock::duration deadline_;
  std::deque<std::pair<Clock::time_point, Timestamp>> samples_;
  std::optional<Timestamp> watermark_;
};

/// The watermark `lag` before the greatest commit, in units of the physical part.
[[nodiscard]] inline std::optional<Timestamp> lagging_watermark(Timestamp greatest,
                                                                std::int64_t lag) {
  std::int64_t physical = 0;
  if (__builtin_sub_overflow(greatest.physical, lag, &physical)) {
    return std::nullopt;
  }
  return Timestamp{physical, greatest.logical};
}

}  // namespace elapid
