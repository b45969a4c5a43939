#include "adapter/http/clients.h"

#include <fmt/format.h>
#include <httplib.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <algorithm>
#include <filesystem>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/ir/integer_text.h"

namespace elapid::http {
namespace {

constexpr std::chrono::milliseconds kNap{100};

struct Peer {
  std::string address;
  int port;
};

std::string name_of(const std::string& address, int port) {
  return fmt::format("{} {}", address, port);
}

/// Address and port of a socket's end, in the form of httplib; nothing for other sockets.
std::optional<Peer> end_of(int socket, int (*which)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage = {};
  socklen_t length = sizeof storage;
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (which(socket, address, &length) != 0) {
    return std::nullopt;
  }
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET) {
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&storage);
    ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    return Peer{text, ntohs(v4->sin_port)};
  }
  if (storage.ss_family == AF_INET6) {
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&storage);
    ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
    return Peer{text, ntohs(v6->sin6_port)};
  }
  return std::nullopt;
}

std::vector<int> open_descriptors() {
  std::vector<int> descriptors;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    descriptors.push_back(integer_of<int>(entry->path().filename().string()).value_or(-1));
  }
  return descriptors;
}

/// The socket of the connection from the peer; -1 if it is closed.
int socket_of(const std::string& peer, int port) {
  for (const int fd : open_descriptors()) {
    const auto here = end_of(fd, ::getsockname);
    const auto there = here && here->port == port ? end_of(fd, ::getpeername) : std::nullopt;
    if (there && name_of(there->address, there->port) == peer) {
      return fd;
    }
  }
  return -1;
}

}  // namespace

Clients::Clients(int port, ClientLimits limits) : port_(port), limits_(limits) {
  watcher_ = Thread([this](const std::stop_token& stop) {
    for (int naps = 0; !stop.stop_requested(); ++naps) {
      if (naps % 10 == 9) {
        (void)caught([this] { look(); });
      }
      std::this_thread::sleep_for(kNap);
    }
  });
}

std::optional<Problem> Clients::begin(const httplib::Request& request) {
  const std::lock_guard lock(mutex_);
  connections_[name_of(request.remote_addr, request.remote_port)].is_in_request = true;
  if (limits_.rate <= 0) {
    return std::nullopt;
  }
  const Clock::time_point now = Clock::now();
  const auto [place, is_new] =
      allowances_.try_emplace(request.remote_addr, Allowance{2 * limits_.rate, now});
  Allowance& allowance = place->second;
  const double passed = std::chrono::duration<double>(now - allowance.at).count();
  allowance.left = std::min(allowance.left + passed * limits_.rate, 2 * limits_.rate);
  allowance.at = now;
  if (allowance.left < 1) {
    return Problem{429, fmt::format("A client may make {} requests a second.", limits_.rate)};
  }
  allowance.left -= 1;
  return std::nullopt;
}

void Clients::end(const httplib::Request& request, bool shut) {
  const std::string peer = name_of(request.remote_addr, request.remote_port);
  {
    const std::lock_guard lock(mutex_);
    Connection& connection = connections_[peer];
    connection.is_in_request = false;
    connection.quiet_since = Clock::now();
  }
  if (shut) {
    if (const int fd = socket_of(peer, port_); fd >= 0) {
      ::shutdown(fd, SHUT_RD);
    }
  }
}

void Clients::end_all() const {
  for (const int fd : open_descriptors()) {
    const auto here = end_of(fd, ::getsockname);
    if (here && here->port == port_ && end_of(fd, ::getpeername)) {
      ::shutdown(fd, SHUT_RD);
    }
  }
}

std::size_t Clients::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

void Clients::look() {
  const std::vector<int> descriptors = open_descriptors();
  const std::lock_guard lock(mutex_);
  for (auto& [peer, connection] : connections_) {
    connection.is_seen = false;
  }
  std::map<std::string, std::size_t> open;
  for (const int fd : descriptors) {
    look_at(fd, open);
  }
  std::erase_if(connections_, [](const auto& entry) { return !entry.second.is_seen; });
  std::erase_if(allowances_, [&](const auto& entry) {
    return Clock::now() - entry.second.at > std::chrono::seconds(10);
  });
}

void Clients::look_at(int socket, std::map<std::string, std::size_t>& open) {
  const auto here = end_of(socket, ::getsockname);
  const auto there = here && here->port == port_ ? end_of(socket, ::getpeername) : std::nullopt;
  if (!there) {
    return;
  }
  const auto [place, is_new] = connections_.try_emplace(name_of(there->address, there->port));
  Connection& connection = place->second;
  connection.is_seen = true;
  const Clock::time_point now = Clock::now();
  if (connection.quiet_since == Clock::time_point()) {
    connection.quiet_since = now;
  }
  const bool is_too_many = limits_.connections != 0 && ++open[there->address] > limits_.connections;
  if (is_too_many ||
      (!connection.is_in_request && now - connection.quiet_since > limits_.silence)) {
    ::shutdown(socket, SHUT_RDWR);
  }
}

}  // namespace elapid::http
