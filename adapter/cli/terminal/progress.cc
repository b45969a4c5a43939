#include "adapter/cli/terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"

namespace elapid {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kEraseLine = "\r\033[K";
constexpr std::size_t kBarWidth = 20;
constexpr std::uint64_t kMegabyte = 1'000'000;

std::string bar_of(double share) {
  const auto filled = std::min(kBarWidth, static_cast<std::size_t>(share * kBarWidth));
  std::string bar(filled, '=');
  bar.resize(kBarWidth, ' ');
  if (filled > 0 && filled < kBarWidth) {
    bar[filled] = '>';
  }
  return fmt::format("[{}]", bar);
}

/// The time left at the current rate, in its largest unit; empty while the rate is uncertain.
std::string time_left(double share, double elapsed) {
  if (share <= 0 || (share < 0.01 && elapsed < 10)) {
    return "";
  }
  const double seconds = elapsed * (1 - share) / share;
  const auto amount = [](double n) { return static_cast<std::uint64_t>(std::ceil(n)); };
  return seconds < 100    ? fmt::format(", {} s left", amount(seconds))
         : seconds < 6000 ? fmt::format(", {} min left", amount(seconds / 60))
                          : fmt::format(", {} h left", with_commas(amount(seconds / 3600)));
}

/// The beginning of printable text that fits, without half of a character at its end.
std::string_view fitting(std::string_view text, std::size_t room) {
  std::size_t end = std::min(room, text.size());
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) {
    --end;
  }
  return text.substr(0, end);
}

}  // namespace

std::string progress_bar(Portion portion, std::chrono::duration<double> elapsed) {
  const double share = portion.total == 0
                           ? 0
                           : static_cast<double>(portion.done) / static_cast<double>(portion.total);
  return fmt::format("{} {} of {}{}{}{}", bar_of(share), with_commas(portion.done),
                     with_commas(portion.total), portion.unit.empty() ? "" : " ", portion.unit,
                     time_left(share, elapsed.count()));
}

std::string end_of_path(std::string_view path, std::size_t room) {
  constexpr std::string_view kCut = "...";
  if (path.size() <= room) {
    return std::string(path);
  }
  path.remove_prefix(std::min(path.size(), path.size() + kCut.size() - room));
  while (!path.empty() && (static_cast<unsigned char>(path.front()) & 0xc0U) == 0x80) {
    path.remove_prefix(1);
  }
  return std::string(kCut) + std::string(path);
}

Progress::Progress(bool quiet)
    : visible_(!quiet && can_show_progress()), next_(begun_ + kPatience) {}

Progress::~Progress() {
  clear();
}

void Progress::begin_inputs(std::size_t count) {
  const std::lock_guard lock(mutex_);
  inputs_ = {.total = count};
  begun_ = Clock::now();
}

void Progress::finish_input() {
  const std::lock_guard lock(mutex_);
  ++inputs_.done;
}

bool Progress::stage(std::string_view input, std::string_view stage) {
  if (visible_) {
    const std::lock_guard lock(mutex_);
    if (due()) {
      show(input, stage);
    }
  }
  return !interrupted();
}

bool Progress::reading(std::string_view input, std::uint64_t done, std::uint64_t total) {
  if (visible_) {
    const std::lock_guard lock(mutex_);
    if (due()) {
      const Portion megabytes = {
          .done = done / kMegabyte, .total = total / kMegabyte, .unit = "MB"};
      const bool has_bar = megabytes.total > 0 && inputs_.total <= 1;
      show(input, has_bar ? "reading " + progress_bar(megabytes, Clock::now() - begun_)
                          : fmt::format("reading, {} MB", megabytes.done));
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
  const auto now = Clock::now();
  if (now < next_) {
    return false;
  }
  next_ = now + kInterval;
  return true;
}

void Progress::show(std::string_view input, std::string_view words) {
  constexpr std::size_t kLeastOfPath = 16;
  const std::size_t columns = terminal_columns() - 1;
  std::string text =
      inputs_.total > 1 ? progress_bar(inputs_, Clock::now() - begun_) + "  " : std::string();
  const std::string rest = fmt::format(": {}", visible_line(words));
  const std::size_t taken = std::min(columns, text.size() + rest.size());
  text += end_of_path(visible_line(input), std::max(kLeastOfPath, columns - taken)) + rest;
  // The line is cut: a wrapped line could not be erased.
  fmt::print(stderr, "{}{}", kEraseLine, fitting(text, columns));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace elapid
