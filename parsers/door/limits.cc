#include "parsers/door/limits.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <utility>

#include "engine/ir/memory_account.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

/// Time beyond the limit for certifying: a check must end within a second.
constexpr std::chrono::milliseconds kTimeToCertify(500);

/// The limit of the control group; nothing without a limit.
std::optional<std::uint64_t> memory_of_control_group(const std::string& path) {
  unsigned long long bytes = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"),
                                                             &std::fclose);
  const bool is_set = file != nullptr && std::fscanf(file.get(), "%llu", &bytes) == 1;
  return is_set ? std::optional<std::uint64_t>(bytes) : std::nullopt;
}

class Watch {
 public:
  Watch(const Limits& limits, Meters meters)
      : meters_(std::move(meters)),
        memory_(limits.memory),
        is_cancelled_(limits.is_cancelled),
        next_(meters_.now().time_since_epoch()) {
    end_ = limits.time ? meters_.now() + *limits.time : Clock::time_point::max();
  }

  [[nodiscard]] bool holds() {
    if (is_cancelled_ && is_cancelled_()) {
      return false;
    }
    if (end_ == Clock::time_point::max() && !memory_) {
      return true;
    }
    const Clock::time_point now = meters_.now();
    return now < end_ && (!memory_ || has_memory(now.time_since_epoch()));
  }

 private:
  /// Whether memory is left. Asks the system at intervals, since one question takes as long as a
  /// hundred others.
  [[nodiscard]] bool has_memory(Clock::duration now) {
    constexpr auto kInterval = std::chrono::milliseconds(1);
    if (now >= next_.load()) {
      next_ = now + kInterval;
      has_memory_ = is_within();
    }
    return has_memory_;
  }

  /// Gives free memory back to the system before it says that the limit is reached. So what was
  /// freed while the history was read, which hangs on the number of threads, does not count.
  [[nodiscard]] bool is_within() {
    if (meters_.memory() <= *memory_) {
      return true;
    }
    static_cast<void>(MemoryLimit::allows(*memory_));  // as much again: frees what it can
    return meters_.memory() <= *memory_;
  }

  Meters meters_;
  std::optional<std::uint64_t> memory_;
  std::function<bool()> is_cancelled_;
  Clock::time_point end_;
  std::atomic<Clock::duration> next_;  // when memory is measured again
  std::atomic<bool> has_memory_ = true;
};

}  // namespace

std::uint64_t resident_bytes() {
  return memory_account::resident();
}

MemorySources memory_sources() {
  MemorySources sources = {.control_group = "/sys/fs/cgroup/memory.max"};
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_size > 0) {
    sources.machine = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
  }
  return sources;
}

std::optional<std::uint64_t> default_memory(const MemorySources& sources) {
  if (!sources.machine) {
    return std::nullopt;
  }
  const auto limit = memory_of_control_group(sources.control_group);
  return std::min(*sources.machine, limit.value_or(*sources.machine)) / 2;
}

std::function<bool()> watch(const Limits& limits, Meters meters) {
  return [watch = std::make_shared<Watch>(limits, std::move(meters))] { return watch->holds(); };
}

void set_limits(const Limits& limits, CheckOptions& options) {
  if (!limits.time && !limits.memory && !limits.is_cancelled) {
    return;
  }
  options.has_budget = watch(limits);
  options.spent_budget = limits.words;
  if (limits.time) {  // evidence that was found in time may be certified, if that is quick
    options.may_certify = watch({.time = *limits.time + kTimeToCertify});
  }
  if (limits.memory) {
    const std::uint64_t left = *limits.memory - std::min(*limits.memory, resident_bytes());
    options.budget.reachability = std::min<std::size_t>(options.budget.reachability, left);
  }
}

}  // namespace elapid
