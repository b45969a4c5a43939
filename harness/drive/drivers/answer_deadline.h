// The deadline for a server's answer. It holds for the whole answer: a server that stops in the
// middle, or sends only a byte now and then, is given up like one that sends nothing.
#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>

namespace elapid {

class AnswerDeadline {
 public:
  explicit AnswerDeadline(std::chrono::milliseconds patience) : until_(Clock::now() + patience) {}

  [[nodiscard]] bool has_passed() const { return Clock::now() >= until_; }

  /// Waits until the socket has one of these events (poll(2)), and returns the events that it has;
  /// after the deadline always 0.
  [[nodiscard]] int wait(int socket, int events) const {
    pollfd news = {.fd = socket, .events = static_cast<std::int16_t>(events), .revents = 0};
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count();
      if (left <= 0) {
        return 0;
      }
      const int ready = ::poll(&news, 1, static_cast<int>(std::min<std::int64_t>(left, 1'000'000)));
      if (ready > 0) {
        return news.revents;
      }
      if (ready < 0 && errno != EINTR) {
        return POLLERR;  // the library's next call then fails with the reason
      }
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point until_;
};

}  // namespace elapid
