#include "harness/servers/private_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/start_dir.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "harness/process/process_tree.h"
#include "harness/process/program_run.h"

namespace elapid {
namespace {

namespace process = boost::process;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{5};

/// The last words of a log, on one line.
std::string last_words(const std::string& path) {
  constexpr std::streamoff kMost = 400;
  std::ifstream file(path, std::ios::ate);
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kMost));
  std::array<char, kMost> buffer{};
  file.read(buffer.data(), buffer.size());
  std::string text(buffer.data(), static_cast<std::size_t>(file.gcount()));
  text.erase(text.find_last_not_of('\n') + 1);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// In the new process: begins a session, so that Ctrl-C does not reach it. It dies with its parent.
void prepare_server(const std::optional<ProcessUser>& user, int death_signal) {
  ::setsid();
  if (user && !become(*user)) {
    ::_exit(126);
  }
  ::prctl(PR_SET_PDEATHSIG, death_signal);
  ::signal(SIGPIPE, SIG_DFL);
}

/// Removes the folder of a dying server, which may still write there.
void remove_at_last(const std::string& folder) {
  constexpr int kAttempts = 1000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    if (!error && !std::filesystem::exists(folder, error)) {
      return;
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace

PrivateServer::PrivateServer(const ServerKind& kind, ServerLimits limits, ScratchFolder folder,
                             std::optional<ProcessUser> user)
    : kind_(kind), limits_(std::move(limits)), folder_(std::move(folder)), user_(std::move(user)) {}

PrivateServer::PrivateServer(PrivateServer&& other) noexcept
    : kind_(other.kind_),
      limits_(std::move(other.limits_)),
      folder_(std::move(other.folder_)),
      user_(std::move(other.user_)),
      pid_(std::exchange(other.pid_, 0)),
      guard_(std::move(other.guard_)) {}

PrivateServer::~PrivateServer() {
  stop(kind_.stop_signal);
}

Result<PrivateServer> PrivateServer::start(const ServerKind& kind, ServerLimits limits) {
  if (kind.program().empty()) {
    return usage_error(std::string(kind.name) + " is not installed: apt install " +
                       std::string(kind.package));
  }
  ELAPID_ASSIGN_OR_RETURN(std::optional<ProcessUser> user,
                          unprivileged_user(std::string(kind.user)));
  ELAPID_ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::create());
  PrivateServer server(kind, std::move(limits), std::move(folder), std::move(user));
  for (const auto step :
       {&PrivateServer::begin_guard, &PrivateServer::create, &PrivateServer::launch}) {
    ELAPID_RETURN_IF_ERROR((server.*step)());
  }
  server.limits_.is_cancelled = {};
  return server;
}

std::string PrivateServer::uri() const {
  return kind_.uri(folder_.path(), user_name());
}

std::string PrivateServer::user_name() const {
  if (user_) {
    return user_->name;
  }
  const char* name = ::getenv("USER");
  return name != nullptr ? name : "elapid";
}

Error PrivateServer::failure(const std::string& what) const {
  const std::string said = last_words(folder_.path() + "/log");
  return {.kind = ErrorKind::kInternal,
          .message = std::string(kind_.name) + " " + what + (said.empty() ? "" : ": " + said)};
}

Status PrivateServer::begin_guard() {
  Result<Guard> guard = Guard::begin([this] { remove_at_last(folder_.path()); });
  ELAPID_RETURN_IF_ERROR(guard);
  guard_.emplace(std::move(guard).value());
  return {};
}

Status PrivateServer::create() {
  if (user_ && ::chown(folder_.path().c_str(), user_->user, user_->group) != 0) {
    return failure(std::string("cannot be given a folder: ") + std::strerror(errno));
  }
  for (const CommandLine& command : kind_.creation(folder_.path(), user_name())) {
    const ProgramRun run = run_program(
        command, folder_.path(), {.time = limits_.start, .user = user_}, limits_.is_cancelled);
    if (run.exit_code != 0) {
      const std::string why = run.start_error.empty() ? run.err : run.start_error;
      return Error{.kind = ErrorKind::kInternal,
                   .message = std::string(kind_.name) + ": " + command.front() +
                              " made no database: " + why.substr(0, why.find('\n'))};
    }
  }
  return {};
}

Status PrivateServer::launch() {
  const CommandLine command = kind_.start(kind_.program(), folder_.path());
  const int death_signal = kind_.stop_signal == SIGQUIT ? SIGQUIT : SIGKILL;
  const std::string log = folder_.path() + "/log";
  std::error_code error;
  process::child child(
      command.front(), process::args(std::vector(command.begin() + 1, command.end())),
      process::start_dir(folder_.path()),
      process::std_in<process::null, (process::std_out & process::std_err)> log,
      process::extend::on_exec_setup =
          [this, death_signal](auto& /*executor*/) { prepare_server(user_, death_signal); },
      error);
  if (error) {
    return failure("cannot be started: " + error.message());
  }
  pid_ = child.id();
  child.detach();
  return wait_until_ready();
}

Status PrivateServer::wait_until_ready() {
  const Clock::time_point until = Clock::now() + limits_.start;
  while (!kind_.is_ready(folder_.path())) {
    if (has_ended()) {
      return failure("ended while it started");
    }
    if (Clock::now() > until || (limits_.is_cancelled && limits_.is_cancelled())) {
      stop(kind_.stop_signal);
      return failure("did not take connections in time");
    }
    std::this_thread::sleep_for(kLookEvery);
  }
  return {};
}

bool PrivateServer::has_ended() {
  if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) {
    pid_ = 0;
  }
  return pid_ == 0;
}

void PrivateServer::kill() {
  if (pid_ <= 0) {
    return;
  }
  // Stops the processes first, so that they start no others while they are killed.
  signal_tree(process_tree(pid_), SIGSTOP);
  signal_tree(process_tree(pid_), SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

void PrivateServer::pause() {
  if (pid_ > 0) {
    stop_tree(process_tree(pid_));
  }
}

void PrivateServer::resume() {
  if (pid_ > 0) {
    signal_tree(process_tree(pid_), SIGCONT);
  }
}

Status PrivateServer::restart() {
  kill();
  return launch();
}

void PrivateServer::shut_down() {
  stop(kind_.shutdown_signal);
}

void PrivateServer::stop(int signal) {
  if (pid_ <= 0) {
    return;
  }
  resume();
  ::kill(pid_, signal);
  const Clock::time_point until = Clock::now() + limits_.stop;
  while (!has_ended()) {
    if (Clock::now() > until) {
      kill();
      return;
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

std::vector<const ServerKind*> server_kinds() {
  return {&postgres_server(), &mariadb_server(), &redis_server()};
}

const ServerKind* server_of_driver(std::string_view driver) {
  for (const ServerKind* const kind : server_kinds()) {
    if (kind->name == driver || (kind->name == "mariadb" && driver == "mysql")) {
      return kind;
    }
  }
  return nullptr;
}

}  // namespace elapid
