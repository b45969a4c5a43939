// Waits for input, with limits.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <span>

namespace elapid {

/// The outcome of a wait.
enum class Wait : std::uint8_t { kReady, kOver, kInterrupted };

class Patience {
 public:
  explicit Patience(std::chrono::milliseconds patience)
      : end_(std::chrono::steady_clock::now() + patience) {}

  [[nodiscard]] bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

  /// Waits until one of the descriptors is ready.
  [[nodiscard]] Wait wait(std::span<pollfd> descriptors) const;

  /// Waits at most for `longest`. Never kReady.
  [[nodiscard]] Wait nap(std::chrono::milliseconds longest) const;

  /// Whether one of the descriptors is ready.
  static Wait look(std::span<pollfd> descriptors);

 private:
  [[nodiscard]] std::chrono::milliseconds left() const;

  std::chrono::steady_clock::time_point end_;
};

}  // namespace elapid
