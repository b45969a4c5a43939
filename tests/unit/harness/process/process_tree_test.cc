#include "harness/process/process_tree.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

using namespace elapid;

namespace {

constexpr std::size_t kProcesses = 2;
constexpr std::size_t kThreads = 3;
constexpr std::size_t kSpinners = kProcesses * kThreads;

/// Processes whose threads count, each in a place that this process sees. The first thread sleeps:
/// until it has woken up to take a signal, the others go on.
class Spinners {
 public:
  Spinners()
      : counts_(static_cast<std::atomic<std::uint64_t>*>(
            ::mmap(nullptr, kSpinners * sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    for (std::size_t i = 0; i < kProcesses; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        spin(counts_ + i * kThreads);
      }
      pids_.push_back(pid);
    }
  }

  Spinners(const Spinners&) = delete;
  Spinners& operator=(const Spinners&) = delete;

  ~Spinners() {
    signal_tree(pids_, SIGKILL);
    for (const pid_t pid : pids_) {
      ::waitpid(pid, nullptr, 0);
    }
    ::munmap(counts_, kSpinners * sizeof(std::atomic<std::uint64_t>));
  }

  [[nodiscard]] const std::vector<pid_t>& pids() const { return pids_; }

  [[nodiscard]] std::vector<std::uint64_t> counts() const { return {counts_, counts_ + kSpinners}; }

 private:
  [[noreturn]] static void spin(std::atomic<std::uint64_t>* counts) {
    for (std::size_t i = 0; i < kThreads; ++i) {
      std::thread([count = counts + i] {
        while (true) {
          ++*count;
        }
      }).detach();
    }
    while (true) {
      ::pause();
    }
  }

  std::atomic<std::uint64_t>* counts_;
  std::vector<pid_t> pids_ = {};
};

}  // namespace

TEST_CASE("A tree of processes that was stopped does nothing more until it is resumed") {
  const Spinners spinners;
  const auto all_count = [&] {
    const std::vector<std::uint64_t> before = spinners.counts();
    for (int attempt = 0; attempt < 2000; ++attempt) {
      const std::vector<std::uint64_t> now = spinners.counts();
      if (std::ranges::equal(before, now, std::ranges::less())) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  };
  for (int round = 0; round < 30; ++round) {
    REQUIRE(all_count());
    stop_tree(spinners.pids());
    const std::vector<std::uint64_t> stopped = spinners.counts();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(spinners.counts() == stopped);
    signal_tree(spinners.pids(), SIGCONT);
  }
}

TEST_CASE("A process that has ended is not waited for") {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::_exit(0);
  }
  stop_tree({pid});
  ::kill(pid, SIGCONT);
  CHECK(::waitpid(pid, nullptr, 0) == pid);
  stop_tree({pid});
}
