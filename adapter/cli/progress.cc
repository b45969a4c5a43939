#include "adapter/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "adapter/cli/interrupt.h"

namespace elapid {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kEraseLine = "\r\033[K";

// A line that wraps could not be erased again.
std::size_t terminal_columns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

}  // namespace

Progress::Progress(bool quiet)
    : visible_(!quiet && isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + kPatience) {}

Progress::~Progress() {
  clear();
}

bool Progress::stage(std::string_view input, std::string_view stage) {
  if (visible_) {
    const std::lock_guard lock(mutex_);
    if (due()) {
      show(fmt::format("{}: {}", input, stage));
    }
  }
  return !interrupted();
}

bool Progress::reading(std::string_view input, std::uint64_t done, std::uint64_t total) {
  if (visible_) {
    const std::lock_guard lock(mutex_);
    if (due()) {
      show(total == 0 ? fmt::format("{}: reading, {} MB", input, done / 1'000'000)
                      : fmt::format("{}: reading, {}%", input, done * 100 / total));
    }
  }
  return !interrupted();
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) {
    std::fputs(kEraseLine, stderr);
    std::fflush(stderr);
    shown_ = false;
  }
}

bool Progress::due() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) {
    return false;
  }
  next_ = now + kInterval;
  return true;
}

void Progress::show(const std::string& line) {
  const std::size_t room = terminal_columns() - 1;
  fmt::print(stderr, "{}{}", kEraseLine, line.substr(0, room));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace elapid
