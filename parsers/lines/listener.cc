#include "parsers/lines/listener.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>

namespace elapid {

namespace {

constexpr std::string_view kTcp = "tcp:";
constexpr std::string_view kUnix = "unix:";
constexpr int kBacklog = 128;

Error usage(const std::string& where, std::string message) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message), .file = where};
}

/// Whether the socket's file is left over: no process listens at it.
bool is_left_over(const std::string& path, const sockaddr* address, socklen_t size) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) {
    return false;
  }
  const FileDescriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), address, size) != 0 && errno == ECONNREFUSED;
}

struct HostPort {
  std::string host;
  std::string port;
};

/// `PORT`, `HOST:PORT` or `[ADDRESS]:PORT`.
HostPort split(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return {.host = "127.0.0.1", .port = std::string(text)};
  }
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  return {.host = std::string(host), .port = std::string(text.substr(colon + 1))};
}

/// The address of a bound socket, as `tcp:HOST:PORT`.
std::string address_of(int fd) {
  sockaddr_storage storage = {};
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  socklen_t size = sizeof(storage);
  std::array<char, NI_MAXHOST> host = {};
  std::array<char, NI_MAXSERV> port = {};
  ::getsockname(fd, address, &size);
  ::getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(),
                NI_NUMERICHOST | NI_NUMERICSERV);
  const bool has_colons = std::string_view(host.data()).find(':') != std::string_view::npos;
  return std::string(kTcp) + (has_colons ? "[" : "") + host.data() + (has_colons ? "]:" : ":") +
         port.data();
}

}  // namespace

bool Listener::is_address(const std::string& where) {
  return where.starts_with(kTcp) || where.starts_with(kUnix);
}

Result<Listener> Listener::open(const std::string& where) {
  return where.starts_with(kUnix) ? open_unix(where) : open_tcp(where);
}

Result<Listener> Listener::open_unix(const std::string& where) {
  std::string path = where.substr(kUnix.size());
  sockaddr_un un = {};
  if (path.empty() || path.size() >= sizeof(un.sun_path)) {
    return usage(where, "expected a path of 1 to " + std::to_string(sizeof(un.sun_path) - 1) +
                            " bytes behind `unix:`");
  }
  un.sun_family = AF_UNIX;
  path.copy(&un.sun_path[0], path.size());
  const auto* const address = reinterpret_cast<const sockaddr*>(&un);
  FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  int bound = ::bind(fd.get(), address, sizeof(un));
  if (bound != 0 && errno == EADDRINUSE && is_left_over(path, address, sizeof(un))) {
    ::unlink(path.c_str());
    bound = ::bind(fd.get(), address, sizeof(un));
  }
  if (bound != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return system_error(where, "cannot be listened at");
  }
  return Listener(where, std::move(path), std::move(fd));
}

Result<Listener> Listener::open_tcp(const std::string& where) {
  const HostPort wanted = split(std::string_view(where).substr(kTcp.size()));
  if (wanted.host.empty() || wanted.port.empty()) {
    return usage(where, "expected tcp:PORT or tcp:HOST:PORT");
  }
  const addrinfo hints = {.ai_flags = AI_PASSIVE,
                          .ai_family = AF_UNSPEC,
                          .ai_socktype = SOCK_STREAM,
                          .ai_protocol = 0,
                          .ai_addrlen = 0,
                          .ai_addr = nullptr,
                          .ai_canonname = nullptr,
                          .ai_next = nullptr};
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(wanted.host.c_str(), wanted.port.c_str(), &hints, &found);
      error != 0) {
    return usage(where, std::string("is no address: ") + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  FileDescriptor fd(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (::bind(fd.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(fd.get(), kBacklog) != 0) {
    return system_error(where, "cannot be listened at");
  }
  std::string name = address_of(fd.get());
  return Listener(std::move(name), {}, std::move(fd));
}

Listener::~Listener() {
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
}

Result<FileDescriptor> Listener::accept() const {
  FileDescriptor client(::accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  const bool is_full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
  if (!client.is_open() && is_full) {
    return system_error(name_, "cannot let in a client");
  }
  return client;
}

}  // namespace elapid
