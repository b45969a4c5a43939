// The two ends exchange packets. A command goes to the server with two descriptors. Its answers:
// the number of the process; an empty word at its end; and, after an empty word from the client,
// its usage. So a process stays in the system's list until its client knows its end.
#include "harness/process/fork_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/ir/thread.h"

namespace elapid {
namespace {

constexpr std::size_t kLongestCommand = std::size_t{100} << 10;
constexpr char kWord = '.';

struct Collected {
  int status = 0;
  rusage used = {};
};

/// Descriptors beside the bytes of a packet, in the system's form.
struct alignas(cmsghdr) FdSpace {
  std::array<char, CMSG_SPACE(2 * sizeof(int))> bytes = {};
};

template <class Value>
bool send_value(int line, const Value& value) {
  return ::send(line, &value, sizeof value, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof value);
}

/// Waits for a value. False: the other end is closed.
template <class Value>
bool receive_value(int line, Value& value) {
  ssize_t got = -1;
  while ((got = ::recv(line, &value, sizeof value, 0)) < 0 && errno == EINTR) {
  }
  return got == static_cast<ssize_t>(sizeof value);
}

/// A command to run, and where its output goes.
struct Order {
  std::vector<std::string> command = {};
  std::string folder = {};
  RunLimits limits = {};  ///< those that the system keeps: of memory and of files
  FileDescriptor out = {};
  FileDescriptor err = {};
};

/// The words of a text, which end with a zero each.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t end = text.find('\0'); end != std::string_view::npos; end = text.find('\0')) {
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return words;
}

std::string limit_word(const std::optional<std::uint64_t>& limit) {
  return limit ? std::to_string(*limit) : "";
}

std::optional<std::uint64_t> limit_of(const std::string& word) {
  return word.empty() ? std::nullopt : std::optional<std::uint64_t>(std::stoull(word));
}

bool send_order(int line, std::string& words, int out, int err) {
  FdSpace space;
  iovec text = {words.data(), words.size()};
  msghdr message = {};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space.bytes.data();
  message.msg_controllen = space.bytes.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const std::array<int, 2> fds = {out, err};
  std::memcpy(CMSG_DATA(header), fds.data(), sizeof fds);
  ssize_t sent = -1;
  while ((sent = ::sendmsg(line, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent == static_cast<ssize_t>(words.size());
}

/// Receives the next order; nothing once the other end is closed.
std::optional<Order> receive_order(int line, std::string& buffer) {
  buffer.resize(kLongestCommand);
  FdSpace space;
  iovec text = {buffer.data(), buffer.size()};
  msghdr message = {};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space.bytes.data();
  message.msg_controllen = space.bytes.size();
  ssize_t got = -1;
  while ((got = ::recvmsg(line, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* const header = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
    return std::nullopt;
  }
  std::array<int, 2> fds = {};
  std::memcpy(fds.data(), CMSG_DATA(header), sizeof fds);
  std::vector<std::string> words =
      words_of(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
  Order order = {.folder = words[0],
                 .limits = {.memory = limit_of(words[1]), .file = limit_of(words[2])},
                 .out = FileDescriptor(fds[0]),
                 .err = FileDescriptor(fds[1])};
  order.command.assign(words.begin() + 3, words.end());
  return order;
}

/// Runs an order in its own process. The exit code is that of the program; 127 if it cannot begin.
[[noreturn]] void run_order(const Order& order, const ForkServer::Program& program, pid_t server) {
  prepare_child(order.limits);
  const bool is_ready = ::getppid() == server && ::chdir(order.folder.c_str()) == 0 &&
                        ::dup2(order.out.get(), STDOUT_FILENO) >= 0 &&
                        ::dup2(order.err.get(), STDERR_FILENO) >= 0;
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  int code = 127;
  if (is_ready) {
    (void)caught([&] { code = program(order.command); });
  }
  std::fflush(nullptr);
  ::_exit(code);
}

/// The work of the forking process after its preparation.
void serve_orders(int line, const ForkServer::Program& program) {
  const pid_t self = ::getpid();
  std::string buffer;
  while (const std::optional<Order> order = receive_order(line, buffer)) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      run_order(*order, program, self);
    }
    ::setpgid(pid, pid);  // the new process does the same, perhaps later
    if (!send_value(line, pid) || pid < 0) {
      return;
    }
    siginfo_t info = {};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    char word = kWord;
    Collected collected;
    if (!send_value(line, word) || !receive_value(line, word) ||
        ::wait4(pid, &collected.status, 0, &collected.used) != pid ||
        !send_value(line, collected)) {
      return;
    }
  }
}

[[noreturn]] void become_server(int line, const ForkServer::Program& program,
                                const std::function<void()>& prepare) {
  ::setpgid(0, 0);  // Ctrl-C of a terminal must reach only the client
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::signal(signal, SIG_DFL);
  }
  // The line becomes the last open descriptor, right behind the standard streams.
  constexpr int kLine = STDERR_FILENO + 1;
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(null, fd);
  }
  if (line != kLine) {
    ::dup3(line, kLine, O_CLOEXEC);
  }
  ::close_range(kLine + 1, ~0U, 0);
  (void)caught([&] {
    prepare();
    serve_orders(kLine, program);
  });
  ::_exit(0);
}

}  // namespace

Result<ForkServer> ForkServer::begin(const Program& program, const std::function<void()>& prepare) {
  std::array<int, 2> ends = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return system_error("a process that forks", "cannot be told anything");
  }
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  std::fflush(nullptr);  // buffered output would be written twice
  const pid_t pid = ::fork();
  if (pid < 0) {
    return system_error("a process that forks", "cannot be started");
  }
  if (pid == 0) {
    become_server(theirs.get(), program, prepare);
  }
  return ForkServer(std::move(ours), pid);
}

ForkServer::ForkServer(ForkServer&& other) noexcept
    : line_(std::move(other.line_)), pid_(std::exchange(other.pid_, -1)) {}

ForkServer::~ForkServer() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);  // it may wait for a run, which ends with it
  }
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

pid_t ForkServer::start(const std::vector<std::string>& command, const std::string& folder,
                        const RunLimits& limits, int out, int err) {
  std::string words;
  for (const std::string& word : {folder, limit_word(limits.memory), limit_word(limits.file)}) {
    words += word + '\0';
  }
  for (const std::string& word : command) {
    words += word + '\0';
  }
  pid_t pid = -1;
  if (words.size() > kLongestCommand || !send_order(line_.get(), words, out, err) ||
      !receive_value(line_.get(), pid)) {
    return -1;
  }
  return pid;
}

bool ForkServer::collect(int& status, rusage& used) {
  char word = kWord;
  Collected collected;
  if (!receive_value(line_.get(), word) || !send_value(line_.get(), word) ||
      !receive_value(line_.get(), collected)) {
    return false;
  }
  status = collected.status;
  used = collected.used;
  return true;
}

}  // namespace elapid
