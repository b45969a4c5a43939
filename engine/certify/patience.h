// Whether a check of evidence may go on; asked now and then.
#pragma once

#include <cstdint>
#include <functional>

namespace elapid::certify {

/// In place of a flaw, if the check was told to stop. Then nothing is known of the evidence.
inline constexpr const char* kToldToStop = "the check was told to stop";

/// Refers to `keep_going`, which may be empty.
class Patience {
 public:
  explicit Patience(const std::function<bool()>& keep_going) : keep_going_(keep_going) {}

  /// Called at each step. Once it returns false it always does.
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
