#include "adapter/http/streams/watch_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "harness/process/program_run.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid::http {
namespace {

/// In the new process, until the program starts. Only calls that are safe between fork and exec.
/// Signals are blocked: one that comes now must end the new process, not reach this program's
/// handlers.
[[noreturn]] void become_program(char* const* arguments, int in, int out, int errors,
                                 const std::optional<std::uint64_t>& memory) {
  prepare_child({.memory = memory});
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
      ::dup2(errors, STDERR_FILENO) < 0) {
    ::_exit(127);
  }
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Result<WatchProcess> WatchProcess::start(const std::vector<std::string>& command,
                                         const Surroundings& surroundings) {
  constexpr mode_t kMode = 0666;
  const FileDescriptor in(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor out(
      ::open(surroundings.out.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode));
  if (!out.is_open()) {
    return system_error(surroundings.out, "cannot be opened");
  }
  const FileDescriptor errors(
      ::open(surroundings.errors.c_str(), O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, kMode));
  if (!errors.is_open()) {
    return system_error(surroundings.errors, "cannot be opened");
  }
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));  // NOLINT: execv() changes nothing
  }
  arguments.push_back(nullptr);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) {
    become_program(arguments.data(), in.get(), out.get(), errors.get(), surroundings.memory);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid > 0 ? Result<WatchProcess>(WatchProcess(pid))
                 : Result<WatchProcess>(system_error(command.front(), "cannot be started"));
}

WatchProcess::~WatchProcess() {
  if (pid_ > 0) {
    kill();
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
}

std::optional<ProcessEnd> WatchProcess::ended() {
  int status = 0;
  const pid_t waited = pid_ > 0 ? ::waitpid(pid_, &status, WNOHANG) : -1;
  if (waited == 0 || (waited < 0 && errno == EINTR)) {
    return std::nullopt;
  }
  pid_ = -1;
  if (waited > 0 && WIFEXITED(status)) {
    return ProcessEnd{.exit_code = WEXITSTATUS(status)};
  }
  return ProcessEnd{.signal = waited > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL};
}

void WatchProcess::signal(int number) const {
  if (pid_ > 0) {
    ::kill(pid_, number);
  }
}

}  // namespace elapid::http
