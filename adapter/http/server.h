// The server: httplib behind a table of routes. This class has the rules for every request: the
// permitted clients (loopback alone, or a token), headers of security, one place where errors
// become problem documents, and a thread for each connection up to a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "adapter/http/clients.h"
#include "adapter/http/metrics.h"
#include "adapter/http/routes.h"
#include "engine/ir/result.h"

namespace elapid::http {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                  ///< 0: a free one
  std::string token = {};        ///< the secret in `Authorization: Bearer`; empty: none
  std::string certificate = {};  ///< a PEM file; with it the server speaks only TLS
  std::string key = {};
  std::size_t connections = 512;  ///< served at once; more wait
  ClientLimits client = {};
  std::uint64_t largest_body = std::uint64_t{1}
                               << 30;  ///< the limit for clients who ask first (Expect)
};

class Server {
 public:
  /// Binds the address, so that port() is known. Error kUsage: an address other than loopback
  /// without a token; kUnreadable: it cannot be bound, or the certificate cannot be used. `metrics`
  /// must outlive the server.
  static Result<std::unique_ptr<Server>> open(ServerOptions options, RouteTable routes,
                                              Metrics& metrics);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int port() const;

  /// `http://127.0.0.1:8080`
  [[nodiscard]] std::string address() const;

  /// Serves until stop(), which any thread may call. Running answers are finished; endless ones
  /// must end by themselves. Bodies that still arrive are dropped.
  void run();
  void stop();

 private:
  class Implementation;

  explicit Server(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

/// Whether the address is one of the machine itself: 127.0.0.0/8, ::1, localhost.
[[nodiscard]] bool is_loopback(const std::string& host);

/// Compares in a time that does not depend on the first difference.
[[nodiscard]] bool is_same_secret(std::string_view given, std::string_view secret);

}  // namespace elapid::http
