// Whether a check of evidence may go on, asked now and then.
#pragma once

#include <cstdint>
#include <functional>

namespace elapid::certify {

/// Instead of a flaw, where the check was told to stop: then nothing is known of the evidence.
inline constexpr const char* kToldToStop = "the check was told to stop";

/// Refers to `keep_going`, which may be empty.
class Patience {
 public:
  explicit Patience(const std::function<bool()>& keep_going) : keep_going_(keep_going) {}

  /// To be asked at each step. Once it says no it always does.
  [[nodiscard]] bool goes_on() {
    if (steps_++ % kStepsBetweenQuestions == 0 && keep_going_ && !was_stopped_) {
      was_stopped_ = !keep_going_();
    }
    return !was_stopped_;
  }

 private:
  static constexpr std::uint32_t kStepsBetweenQuestions = 16;

  const std::function<bool()>& keep_going_;
  std::uint32_t steps_ = 0;
  bool was_stopped_ = false;
};

}  // namespace elapid::certify
