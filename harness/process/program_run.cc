#include "harness/process/program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <boost/process/search_path.hpp>
#include <boost/process/start_dir.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "harness/process/fork_server.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {
namespace {

namespace process = boost::process;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kAskEvery{100};

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {};
  }
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void do_not_block(const FileDescriptor& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// The output of a stream: its first and its last bytes.
class Capture {
 public:
  Capture(FileDescriptor fd, std::size_t limit) : fd_(std::move(fd)), half_(limit / 2) {
    do_not_block(fd_);
  }

  /// -1 once the stream has ended.
  [[nodiscard]] int fd() const { return is_open_ ? fd_.get() : -1; }

  /// Takes a few pieces of the available bytes: the call returns even if the program writes without
  /// end.
  void take() {
    constexpr int kPieces = 32;
    for (int piece = 0; piece < kPieces && is_open_; ++piece) {
      const ssize_t got = ::read(fd_.get(), buffer_.data(), buffer_.size());
      if (got > 0) {
        add({buffer_.data(), static_cast<std::size_t>(got)});
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else {
        is_open_ = got < 0 && errno == EAGAIN;
        return;
      }
    }
  }

  [[nodiscard]] bool is_cut() const { return is_cut_; }

  /// The kept text. A line marks the place of missing bytes.
  std::string text() {
    trim();
    return is_cut_ ? head_ + "\n[...]\n" + tail_ : head_ + tail_;
  }

 private:
  void add(std::string_view bytes) {
    const std::size_t room = half_ - std::min(half_, head_.size());
    head_ += bytes.substr(0, room);
    tail_ += bytes.substr(std::min(room, bytes.size()));
    if (tail_.size() > 2 * half_ + buffer_.size()) {
      trim();
    }
  }

  void trim() {
    if (tail_.size() > half_) {
      tail_.erase(0, tail_.size() - half_);
      is_cut_ = true;
    }
  }

  FileDescriptor fd_;
  std::size_t half_;
  std::array<char, 65536> buffer_{};
  std::string head_ = {};
  std::string tail_ = {};
  bool is_cut_ = false;
  bool is_open_ = true;
};

void set_limit(decltype(RLIMIT_DATA) resource, rlim_t value) {
  const rlimit limit = {value, value};
  ::setrlimit(resource, &limit);
}

/// A descriptor that is readable when the process has ended. The process is not reaped yet.
FileDescriptor end_of(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// One run of a program, from start to end.
class Run {
 public:
  Run(const RunLimits& limits, const std::function<bool()>& is_cancelled, ForkServer* server)
      : limits_(limits), is_cancelled_(is_cancelled), server_(server) {}

  ProgramRun run(const std::vector<std::string>& command, const std::string& folder) {
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    if (!out.read.is_open() || !err.read.is_open()) {
      run_.start_error = std::strerror(errno);
      return std::move(run_);
    }
    if (!start(command, folder, out, err)) {
      return std::move(run_);
    }
    out.write = FileDescriptor();
    err.write = FileDescriptor();
    Capture out_text(std::move(out.read), limits_.output);
    Capture err_text(std::move(err.read), limits_.output);
    wait(out_text, err_text);
    run_.out = out_text.text();
    run_.err = err_text.text();
    run_.is_cut = out_text.is_cut() || err_text.is_cut();
    return std::move(run_);
  }

 private:
  bool start(const std::vector<std::string>& command, const std::string& folder, const Pipe& out,
             const Pipe& err) {
    begun_ = Clock::now();
    pid_ = server_ == nullptr
               ? -1
               : server_->start(command, folder, limits_, out.write.get(), err.write.get());
    if (pid_ > 0) {
      return true;
    }
    server_ = nullptr;
    const std::string program = command.front().find('/') == std::string::npos
                                    ? find_on_path(command.front())
                                    : command.front();
    if (program.empty()) {
      run_.start_error = command.front() + " is not on the PATH";
      return false;
    }
    std::error_code error;
    process::child child(
        program, process::args(std::vector(command.begin() + 1, command.end())),
        process::start_dir(folder), process::std_in < process::null,
        process::posix::fd.bind(STDOUT_FILENO, out.write.get()),
        process::posix::fd.bind(STDERR_FILENO, err.write.get()),
        process::extend::on_exec_setup = [this](auto& /*executor*/) { prepare_child(limits_); },
        error);
    if (error) {
      run_.start_error = program + ": " + error.message();
      return false;
    }
    pid_ = child.id();
    child.detach();  // collect() asks for its end and its usage
    return true;
  }

  void wait(Capture& out, Capture& err) {
    const FileDescriptor end = server_ == nullptr ? end_of(pid_) : FileDescriptor();
    const int news = server_ == nullptr ? end.get() : server_->fd();
    if (news < 0) {
      run_.start_error = std::string("its end cannot be waited for: ") + std::strerror(errno);
    }
    while (news >= 0 && !wait_for_news(out, err, news)) {
      keep_to_limits();
    }
    signal_group(SIGKILL);  // kills what it left behind
    out.take();
    err.take();
    collect();
  }

  /// True once the process has ended.
  bool wait_for_news(Capture& out, Capture& err, int ended) {
    std::array<pollfd, 3> news = {
        {{out.fd(), POLLIN, 0}, {err.fd(), POLLIN, 0}, {ended, POLLIN, 0}}};
    ::poll(news.data(), news.size(), static_cast<int>(patience().count()));
    if (news[0].revents != 0) {
      out.take();
    }
    if (news[1].revents != 0) {
      err.take();
    }
    return news[2].revents != 0;
  }

  /// The time until the next decision without news.
  [[nodiscard]] std::chrono::milliseconds patience() const {
    std::chrono::milliseconds patience = is_cancelled_ ? kAskEvery : std::chrono::hours(1);
    const auto until = [&](Clock::time_point time) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now());
      patience = std::clamp(left, std::chrono::milliseconds(0), patience);
    };
    if (asked_to_end_) {
      until(*asked_to_end_ + limits_.grace);
    } else if (limits_.time) {
      until(begun_ + *limits_.time);
    }
    return patience;
  }

  void keep_to_limits() {
    const Clock::time_point now = Clock::now();
    if (asked_to_end_) {
      if (now >= *asked_to_end_ + limits_.grace) {
        signal_group(SIGKILL);
        asked_to_end_ = now;
      }
      return;
    }
    run_.is_cancelled = is_cancelled_ && is_cancelled_();
    run_.is_out_of_time = !run_.is_cancelled && limits_.time && now >= begun_ + *limits_.time;
    if (run_.is_cancelled || run_.is_out_of_time) {
      signal_group(SIGTERM);
      asked_to_end_ = now;
    }
  }

  /// Requires that the process was not reaped: until then no other group has its number.
  void signal_group(int signal) const { ::kill(-pid_, signal); }

  void collect() {
    int status = 0;
    rusage used = {};
    if (server_ != nullptr && !server_->collect(status, used)) {
      status = SIGKILL;  // it died with the server
    }
    pid_t waited = server_ == nullptr ? -1 : pid_;
    while (waited < 0 && (waited = ::wait4(pid_, &status, 0, &used)) < 0 && errno == EINTR) {
    }
    if (waited < 0) {  // the system ignores the end of children
      run_.start_error = std::string("it cannot be waited for: ") + std::strerror(errno);
      return;
    }
    const auto duration = [](const timeval& time) {
      return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    run_.wall_time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun_);
    run_.cpu_time = duration(used.ru_utime) + duration(used.ru_stime);
    run_.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
    if (WIFEXITED(status)) {
      run_.exit_code = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
      run_.signal = WTERMSIG(status);
    }
  }

  const RunLimits& limits_;
  const std::function<bool()>& is_cancelled_;
  ForkServer* server_;  // null: the program is started by itself
  ProgramRun run_ = {};
  pid_t pid_ = -1;
  Clock::time_point begun_ = {};
  std::optional<Clock::time_point> asked_to_end_ = {};
};

}  // namespace

void prepare_child(const RunLimits& limits) {
  ::setpgid(0, 0);
  ::signal(SIGPIPE, SIG_DFL);
  set_limit(RLIMIT_CORE, 0);
  if (limits.memory) {
    set_limit(RLIMIT_DATA, *limits.memory);
  }
  if (limits.file) {
    set_limit(RLIMIT_FSIZE, *limits.file);
  }
  // Descriptors of this program, such as connections of clients, are not passed on.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (limits.user && !become(*limits.user)) {
    ::_exit(126);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // only now: a change of user clears it
}

ProgramRun run_program(const std::vector<std::string>& command, const std::string& folder,
                       const RunLimits& limits, const std::function<bool()>& is_cancelled,
                       ForkServer* server) {
  return Run(limits, is_cancelled, server).run(command, folder);
}

std::string find_on_path(const std::string& name) {
  return process::search_path(name).string();
}

std::string signal_name(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? std::string("SIG") + abbreviation
                                 : "signal " + std::to_string(signal);
}

}  // namespace elapid
