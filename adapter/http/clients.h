// The clients of the server, by their addresses: how many requests each may make, how many
// connections it may hold, and how long a connection may take to say what it wants.
//
// httplib waits for each further piece of a request, so that a client who sends a byte now and then
// would hold a thread for ever. Therefore a thread of its own looks once a second at the sockets of
// this process, and shuts those that take too long.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "adapter/http/problem.h"
#include "engine/ir/thread.h"

namespace httplib {
struct Request;
}

namespace elapid::http {

struct ClientLimits {
  double rate = 1000;                ///< requests a second; for a moment twice as many; 0: no limit
  std::size_t connections = 256;     ///< of one client at once; 0: no limit
  std::chrono::seconds silence{30};  ///< until a connection has sent the head of a request
};

class Clients {
 public:
  /// Watches the connections of this process to `port` until its end.
  Clients(int port, ClientLimits limits);

  /// A request's head was read. 429 if the client makes too many.
  [[nodiscard]] std::optional<Problem> begin(const httplib::Request& request);
  /// It was answered; `shut`: nothing more of this connection is read.
  void end(const httplib::Request& request, bool shut);

  /// Reads nothing more from any of them: a thread that waits for a request, or for its rest,
  /// waits no longer.
  void end_all() const;

  /// Connections at the last look.
  [[nodiscard]] std::size_t connections() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    Clock::time_point quiet_since = {};  ///< since when it has not been in a request
    bool is_in_request = false;
    bool is_seen = false;
  };

  struct Allowance {
    double left = 0;
    Clock::time_point at = {};
  };

  void look();
  void look_at(int socket, std::map<std::string, std::size_t>& open);

  int port_;
  ClientLimits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Connection> connections_ = {};  // by address and port
  std::map<std::string, Allowance> allowances_ = {};    // by address
  Thread watcher_ = {};                                 // the last member: it uses the others
};

}  // namespace elapid::http
