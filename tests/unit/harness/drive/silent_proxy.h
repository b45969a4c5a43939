// A proxy before a server that can fall silent in the middle of an answer.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "harness/process/scratch_folder.h"

namespace elapid {

/// Stands in a folder of its own under the server's name, and passes everything on. From
/// fall_silent() on the next answer of each connection passes but for its end, and nothing behind
/// it; connections that are made then are accepted, and not answered at all.
class SilentProxy {
 public:
  explicit SilentProxy(const std::string& server_socket)
      : server_(server_socket), folder_(ScratchFolder::create().value()) {
    const sockaddr_un own = address_of(folder_.path() + '/' + server_.filename().string());
    REQUIRE(::bind(door_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
    REQUIRE(::listen(door_, 16) == 0);
    thread_ = std::thread([this] { serve(); });
  }

  SilentProxy(const SilentProxy&) = delete;
  SilentProxy& operator=(const SilentProxy&) = delete;

  ~SilentProxy() {
    is_over_ = true;
    thread_.join();
    for (const Link& link : links_) {
      ::close(link.client);
      ::close(link.server);
    }
    ::close(door_);
  }

  void fall_silent() { is_silent_ = true; }

  /// The server's address, with the proxy in its place.
  [[nodiscard]] std::string uri(std::string servers) const {
    const std::string folder = server_.parent_path().string();
    return servers.replace(servers.find(folder), folder.size(), folder_.path());
  }

 private:
  struct Link {
    int client = -1;
    int server = -1;
    bool is_mute = false;
  };

  static sockaddr_un address_of(const std::string& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::ranges::copy(path, std::begin(address.sun_path));
    return address;
  }

  void serve() {
    while (!is_over_) {
      std::vector<pollfd> events = {{door_, POLLIN, 0}};
      for (const Link& link : links_) {
        events.push_back({link.client, POLLIN, 0});
        events.push_back({link.server, POLLIN, 0});
      }
      constexpr int kLookAgainMs = 10;
      ::poll(events.data(), events.size(), kLookAgainMs);
      for (std::size_t i = 0; i < links_.size(); ++i) {
        if (events[1 + 2 * i].revents != 0) {
          pass_on(links_[i].client, links_[i].server, 0);
        }
        if (events[2 + 2 * i].revents != 0) {
          answer(links_[i]);
        }
      }
      if (events.front().revents != 0) {
        let_in();
      }
    }
  }

  void let_in() {
    const sockaddr_un address = address_of(server_.string());
    Link link = {.client = ::accept(door_, nullptr, nullptr),
                 .server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                 .is_mute = is_silent_};
    ::connect(link.server, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    links_.push_back(link);
  }

  void answer(Link& link) const {
    constexpr std::size_t kEnd = 6;  // PostgreSQL's ReadyForQuery
    const bool is_silent = is_silent_;
    pass_on(link.server, link.is_mute ? -1 : link.client, is_silent ? kEnd : 0);
    link.is_mute = link.is_mute || is_silent;
  }

  /// The bytes that one end has sent, without the last ones; the end is passed on to the other one.
  static void pass_on(int from, int to, std::size_t left_out) {
    std::array<char, 65536> bytes;
    const ssize_t got = ::recv(from, bytes.data(), bytes.size(), MSG_DONTWAIT);
    const auto size = static_cast<std::size_t>(std::max<ssize_t>(0, got));
    if (size > left_out && to >= 0) {
      ::send(to, bytes.data(), size - left_out, MSG_NOSIGNAL);
    }
    if (got == 0 && to >= 0) {
      ::shutdown(to, SHUT_WR);
    }
  }

  std::filesystem::path server_;
  ScratchFolder folder_;
  int door_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::atomic<bool> is_silent_ = false;
  std::atomic<bool> is_over_ = false;
  std::vector<Link> links_ = {};
  std::thread thread_;
};

}  // namespace elapid
