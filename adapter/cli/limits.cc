#include "adapter/cli/limits.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "adapter/cli/interrupt.h"

namespace elapid {
namespace {

/// Bytes of this process in memory; 0 where the system does not tell.
std::uint64_t resident_bytes() {
  unsigned long long pages = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                             &std::fclose);
  if (file == nullptr || std::fscanf(file.get(), "%*u %llu", &pages) != 1) {
    return 0;
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// As the control group says; nothing if it sets no limit.
std::optional<std::uint64_t> memory_of_control_group() {
  unsigned long long bytes = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen("/sys/fs/cgroup/memory.max", "r"), &std::fclose);
  const bool is_set = file != nullptr && std::fscanf(file.get(), "%llu", &bytes) == 1;
  return is_set ? std::optional<std::uint64_t>(bytes) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> default_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) {
    return std::nullopt;
  }
  const auto machine = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
  return std::min(machine, memory_of_control_group().value_or(machine)) / 2;
}

std::function<bool()> watch(const Limits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto end = limits.time ? Clock::now() + *limits.time : Clock::time_point::max();
  return [end, memory = limits.memory] {
    return !interrupted() && Clock::now() < end && (!memory || resident_bytes() <= *memory);
  };
}

void set_limits(const Limits& limits, CheckOptions& options) {
  options.has_budget = watch(limits);
  options.spent_budget = limits.words;
  if (limits.memory) {
    const std::uint64_t left = *limits.memory - std::min(*limits.memory, resident_bytes());
    options.budget.reachability = std::min<std::size_t>(options.budget.reachability, left);
  }
}

}  // namespace elapid
