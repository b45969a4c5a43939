#include "parsers/lines/patience.h"

#include <algorithm>
#include <cerrno>

namespace elapid {

namespace {

Wait wait_for(std::span<pollfd> descriptors, std::chrono::milliseconds longest) {
  constexpr std::chrono::milliseconds kMost = std::chrono::hours(1);
  const int ready = ::poll(descriptors.data(), descriptors.size(),
                           static_cast<int>(std::min(longest, kMost).count()));
  if (ready > 0) {
    return Wait::kReady;
  }
  return ready < 0 && errno == EINTR ? Wait::kInterrupted : Wait::kOver;
}

}  // namespace

Wait Patience::wait(std::span<pollfd> descriptors) const {
  return wait_for(descriptors, left());
}

Wait Patience::nap(std::chrono::milliseconds longest) const {
  return wait_for({}, std::min(longest, left()));
}

Wait Patience::look(std::span<pollfd> descriptors) {
  return wait_for(descriptors, std::chrono::milliseconds(0));
}

std::chrono::milliseconds Patience::left() const {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace elapid
