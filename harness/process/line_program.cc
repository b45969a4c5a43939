#include "harness/process/line_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/process/program_run.h"

namespace elapid {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{1000};

/// How the program starts: input and output are ends of connections, no signal is blocked or
/// ignored, and it leads a process group of its own.
class SpawnSettings {
 public:
  SpawnSettings(int in, int out) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) {
      sigaddset(&signals, signal);
    }
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// Zero, or the number of an error.
  int spawn(const std::string& command, pid_t& pid) const {
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    const std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    return ::posix_spawn(&pid, "/bin/sh", &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_ = {};
  posix_spawnattr_t attributes_ = {};
};

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

}  // namespace

Result<LineProgram> LineProgram::start(const std::string& command) {
  std::array<int, 2> input = {-1, -1};
  std::array<int, 2> output = {-1, -1};
  // The input is a socket: a write after the reader closed it is an error and causes no signal.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) {
    return system_error(command, "cannot be started");
  }
  const FileDescriptor their_in(input[0]);
  FileDescriptor our_in(input[1]);
  // A program that never reads delays a write only so long.
  const timeval longest_write = {.tv_sec = 30, .tv_usec = 0};
  ::setsockopt(our_in.get(), SOL_SOCKET, SO_SNDTIMEO, &longest_write, sizeof longest_write);
  if (::pipe2(output.data(), O_CLOEXEC) != 0) {
    return system_error(command, "cannot be started");
  }
  FileDescriptor our_out(output[0]);
  const FileDescriptor their_out(output[1]);
  pid_t pid = -1;
  const int error = SpawnSettings(their_in.get(), their_out.get()).spawn(command, pid);
  if (error != 0) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = std::string("cannot be started: ") + std::strerror(error),
                 .file = command};
  }
  return LineProgram(pid, std::move(our_in), std::move(our_out));
}

LineProgram::LineProgram(LineProgram&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      read_(std::move(other.read_)),
      status_(other.status_) {}

LineProgram::~LineProgram() {
  if (pid_ < 0) {
    return;
  }
  in_ = FileDescriptor();
  wait_for_end(kGrace);
  kill_all();
  while (pid_ > 0 && ::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
}

/// Whether the program has ended. It is not reaped yet, so that its group continues to exist.
bool LineProgram::wait_for_end(std::chrono::milliseconds patience) {
  const FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd event = {handle.get(), POLLIN, 0};
  const Clock::time_point end = Clock::now() + patience;
  int ready = -1;
  while (handle.is_open() && (ready = ::poll(&event, 1, milliseconds_until(end))) < 0 &&
         errno == EINTR) {
  }
  return ready > 0;
}

void LineProgram::kill_all() const {
  ::kill(-pid_, SIGKILL);
}

bool LineProgram::write_line(std::string_view line, std::chrono::milliseconds patience) {
  const std::string text = std::string(line) + '\n';
  std::string_view rest = text;
  const Clock::time_point end = Clock::now() + patience;
  while (!rest.empty()) {
    pollfd event = {in_.get(), POLLOUT, 0};
    const int ready = ::poll(&event, 1, milliseconds_until(end));
    const ssize_t wrote =
        ready <= 0 ? ready
                   : ::send(in_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) {
      continue;
    }
    if (wrote <= 0) {
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

LineAnswer LineProgram::read_line(std::chrono::milliseconds patience) {
  const Clock::time_point end = Clock::now() + patience;
  std::size_t searched = 0;
  while (true) {
    const std::size_t newline = read_.find('\n', searched);
    if (newline != std::string::npos) {
      LineAnswer answer = {.line = read_.substr(0, newline)};
      read_.erase(0, newline + 1);
      return answer;
    }
    searched = read_.size();
    if (searched > kLongestLine) {
      return {.why_not = "wrote a line of more than 64 MiB", .is_late = true};
    }
    pollfd event = {out_.get(), POLLIN, 0};
    const int ready = ::poll(&event, 1, milliseconds_until(end));
    if (ready == 0) {
      return {.why_not = "gave no answer within " + std::to_string(patience.count()) + " ms",
              .is_late = true};
    }
    std::array<char, 65536> bytes;
    const ssize_t got = ready < 0 ? ready : ::read(out_.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return ended();
    }
    read_.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

/// The answer for a program that closed its output: how it ended.
LineAnswer LineProgram::ended() {
  if (!wait_for_end(kGrace)) {
    return {.why_not = "closed its output"};
  }
  siginfo_t info = {};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  return {.why_not = info.si_code == CLD_EXITED
                         ? "ended with exit code " + std::to_string(info.si_status)
                         : "was killed by " + signal_name(info.si_status)};
}

}  // namespace elapid
