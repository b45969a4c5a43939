#include "harness/process/program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>

namespace elapid {
namespace {

using std::chrono::milliseconds;

/// A shell's script, run with these limits.
ProgramRun shell(const std::string& script, const RunLimits& limits = {},
                 const std::function<bool()>& is_cancelled = {}) {
  return run_program({"/bin/sh", "-c", script}, "/tmp", limits, is_cancelled);
}

/// Short limits for programs that would not end.
constexpr RunLimits kHasty = {.time = milliseconds(300), .grace = milliseconds(100)};

/// A named pipe: its end shows that all processes with it open are gone.
class Alive {
 public:
  Alive() : path_("/tmp/elapid-alive-" + std::to_string(::getpid())) {
    std::filesystem::remove(path_);
    REQUIRE(::mkfifo(path_.c_str(), 0600) == 0);
    fd_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }

  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;

  ~Alive() {
    ::close(fd_);
    std::filesystem::remove(path_);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Waits until no process has it open; false if one still does after a minute.
  [[nodiscard]] bool are_gone() const {
    pollfd news = {fd_, POLLIN, 0};
    return ::poll(&news, 1, 60000) == 1 && (news.revents & POLLHUP) != 0;
  }

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace

TEST_CASE("runs: output, errors and exit code") {
  const ProgramRun run = shell("echo out; echo err >&2; pwd; exit 3");
  CHECK(run.exit_code == 3);
  CHECK_FALSE(run.signal);
  CHECK(run.out == "out\n/tmp\n");
  CHECK(run.err == "err\n");
  CHECK(run.peak_bytes > 0);
  CHECK_FALSE(run.is_out_of_time);
}

TEST_CASE("runs: a program that is not there") {
  const ProgramRun missing = run_program({"/nowhere/mine"}, "/tmp", {});
  CHECK_FALSE(missing.start_error.empty());
  CHECK(run_program({"no-such-program-anywhere"}, "/tmp", {}).start_error ==
        "no-such-program-anywhere is not on the PATH");
}

TEST_CASE("runs: no input, and nothing to wait for") {
  CHECK(shell("cat; echo done").out == "done\n");
}

TEST_CASE("runs: a crash is told by its signal") {
  const ProgramRun run = shell("kill -SEGV $$");
  CHECK(run.signal == SIGSEGV);
  CHECK(signal_name(*run.signal) == "SIGSEGV");
}

TEST_CASE("runs: a hang ends with the time") {
  const ProgramRun run = shell("exec sleep 1000", kHasty);
  CHECK(run.is_out_of_time);
  CHECK(run.signal == SIGTERM);
}

TEST_CASE("runs: who ignores that it is asked to end is killed") {
  const ProgramRun run = shell("trap '' TERM; echo begun; while :; do sleep 1000; done", kHasty);
  CHECK(run.is_out_of_time);
  CHECK(run.out == "begun\n");
  CHECK(run.signal == SIGKILL);
}

TEST_CASE("runs: children that are left behind are killed with the group") {
  const Alive alive;
  const ProgramRun run =
      shell("exec 9>" + alive.path() + "; trap '' TERM; sleep 1000 & echo begun; exit 0");
  CHECK(run.exit_code == 0);
  CHECK(run.out == "begun\n");
  CHECK(alive.are_gone());
}

TEST_CASE("runs: children of one that hangs are killed too") {
  const Alive alive;
  const ProgramRun run =
      shell("exec 9>" + alive.path() + "; (trap '' TERM; sleep 1000) & echo begun; wait", kHasty);
  CHECK(run.is_out_of_time);
  CHECK(run.out == "begun\n");
  CHECK(alive.are_gone());
}

TEST_CASE("runs: output without end is cut in the middle, and the run goes on") {
  RunLimits limits;
  limits.output = 1000;
  const ProgramRun run = shell("echo first; yes | head -c 3000000; echo last", limits);
  CHECK(run.exit_code == 0);
  CHECK(run.is_cut);
  CHECK(run.out.size() < 1100);
  CHECK(run.out.starts_with("first\n"));
  CHECK(run.out.ends_with("last\n"));
}

TEST_CASE("runs: who prints for ever is ended like others") {
  const ProgramRun run = shell("exec yes", kHasty);
  CHECK(run.is_out_of_time);
  CHECK(run.is_cut);
}

TEST_CASE("runs: memory is bounded") {
  const RunLimits limits = {.memory = std::uint64_t{64} << 20};
  const ProgramRun run = run_program({"python3", "-c", "x = bytearray(1 << 30)"}, "/tmp", limits);
  CHECK(run.exit_code == 1);
  CHECK(run.err.find("MemoryError") != std::string::npos);
}

TEST_CASE("runs: the caller can end one") {
  std::atomic<int> asked = 0;
  const ProgramRun run = shell("exec sleep 1000", {}, [&] { return ++asked > 1; });
  CHECK(run.is_cancelled);
  CHECK_FALSE(run.is_out_of_time);
  CHECK(run.signal == SIGTERM);
}

TEST_CASE("runs: the time that a program computes is its own") {
  const ProgramRun run = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
  CHECK(run.exit_code == 0);
  CHECK(run.cpu_time > std::chrono::microseconds(0));
  CHECK(run.cpu_time <= 10 * run.wall_time);
}

}  // namespace elapid
