#include "engine/ir/memory_account.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <utility>

namespace elapid {

namespace {

constexpr std::uint64_t kNoLimit = MemoryLimit::kNone;
constexpr std::uint64_t kBatch = std::uint64_t{256} << 10;
constexpr std::uint64_t kBetweenMeasurements = std::uint64_t{2} << 20;

std::atomic<std::int64_t> taken_by_all = 0;

struct ThreadAccount {
  std::int64_t unbooked = 0;  // taken, less what was returned, since the last book()
  std::uint64_t limit = kNoLimit;
  std::uint64_t past_account = 0;  // resident when the limit began, and not taken from the account
  std::uint64_t since_compared = 0;  // bytes asked for since the limit was compared with the books
  std::uint64_t since_measured = 0;  // the same since it was compared with resident memory
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
constinit thread_local ThreadAccount mine;

std::uint64_t book() {
  const std::int64_t all = taken_by_all.fetch_add(mine.unbooked, std::memory_order_relaxed);
  const std::int64_t now = all + mine.unbooked;
  mine.unbooked = 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(now, 0));
}

/// The limit with a reserve: the evidence of a finding needs a little memory, too.
std::uint64_t ceiling(std::uint64_t limit) {
  constexpr std::uint64_t kLittle = std::uint64_t{12} << 20;
  const std::uint64_t more = limit / 20 + kLittle;
  return limit > kNoLimit - more ? kNoLimit : limit + more;
}

/// Gives free memory back to the system before it says that a limit is reached.
bool is_resident_within(std::uint64_t most) {
  if (memory_account::resident() <= most) {
    return true;
  }
  malloc_trim(0);
  return memory_account::resident() <= most;
}

}  // namespace

std::uint64_t memory_account::resident() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  std::array<char, 128> text = {};
  const ssize_t length = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  char* second = text.data();
  std::strtoull(text.data(), &second, 10);
  const std::uint64_t pages = length > 0 ? std::strtoull(second, nullptr, 10) : 0;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

MemoryLimit::MemoryLimit(std::uint64_t bytes)
    : outer_limit_(mine.limit), outer_past_account_(mine.past_account) {
  const std::uint64_t taken = book();
  const std::uint64_t resident = memory_account::resident();
  mine.limit = std::min(outer_limit_, bytes);
  mine.past_account = resident - std::min(resident, taken);
}

MemoryLimit::MemoryLimit(Lifted)
    : outer_limit_(mine.limit), outer_past_account_(mine.past_account) {
  mine.limit = kNoLimit;
}

MemoryLimit::~MemoryLimit() {
  mine.limit = outer_limit_;
  mine.past_account = outer_past_account_;
}

std::uint64_t MemoryLimit::of_thread() {
  return mine.limit;
}

bool MemoryLimit::allows(std::size_t more) {
  if (mine.limit == kNoLimit) {
    return true;
  }
  const std::uint64_t most = ceiling(mine.limit);
  return more <= most && is_resident_within(most - more);
}

namespace memory_account {

bool may_take(std::size_t bytes) {
  if (mine.limit == kNoLimit) {
    return true;
  }
  mine.since_compared += bytes;
  if (mine.since_compared < kBatch) {
    return true;
  }
  mine.since_measured += std::exchange(mine.since_compared, 0);
  const std::uint64_t most = ceiling(mine.limit);
  const std::uint64_t taken = book() + mine.past_account;
  if (taken > most || bytes > most - taken) {
    return false;
  }
  if (mine.since_measured < kBetweenMeasurements) {
    return true;
  }
  mine.since_measured = 0;
  return is_resident_within(most - bytes);
}

void note_taken(std::size_t bytes) {
  mine.unbooked += static_cast<std::int64_t>(bytes);
  if (mine.unbooked > static_cast<std::int64_t>(kBatch)) {
    book();
  }
}

void note_returned(std::size_t bytes) {
  mine.unbooked -= static_cast<std::int64_t>(bytes);
  if (mine.unbooked < -static_cast<std::int64_t>(kBatch)) {
    book();
  }
}

}  // namespace memory_account

}  // namespace elapid
