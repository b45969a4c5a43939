// The clients of the server, by their addresses. Limits the number of requests, the number of
// connections, and the time until a connection has sent its request.
//
// httplib waits for each further piece of a request, so a client who sends a byte now and then
// would hold a thread for ever. Therefore another thread looks once a second at the sockets of this
// process, and shuts those that take too long.
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
  /// Watches the connections of this process to `port` until the process ends.
  Clients(int port, ClientLimits limits);

  /// Call after the head of a request was read. 429 if the client makes too many requests.
  [[nodiscard]] std::optional<Problem> begin(const httplib::Request& request);
  /// Call after the answer; `shut`: nothing more of this connection is read.
  void end(const httplib::Request& request, bool shut);

  /// Stops reading from all connections: a thread that waits for a request, or for its rest, goes
  /// on.
  void end_all() const;

  /// Connections at the last look.
  [[nodiscard]] std::size_t connections() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    Clock::time_point quiet_since = {};  ///< the end of its last request
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
