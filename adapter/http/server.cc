#include "adapter/http/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "adapter/http/admission.h"
#include "adapter/http/connection_threads.h"
#include "engine/ir/thread.h"

namespace elapid::http {
namespace {

constexpr int kBacklog = 512;
constexpr std::size_t kLongestTarget = 4096;
constexpr std::chrono::seconds kPatience{10};  // for the next bytes of a client

/// A server with a longer queue of connections than httplib's five.
template <class Base>
class Listener final : public Base {
 public:
  using Base::Base;

  void widen_backlog() { ::listen(this->svr_sock_, kBacklog); }
};

/// Sets the security headers of an answer. A page sets its own policy of what it loads.
void set_security_headers(httplib::Response& response) {
  const std::pair<const char*, const char*> headers[] = {
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"}};
  for (const auto& [name, value] : headers) {
    if (!response.has_header(name)) {
      response.set_header(name, value);
    }
  }
}

/// The name in a Host header: `localhost`, `127.0.0.1`, `::1`.
std::string without_port(std::string_view host) {
  if (host.starts_with('[')) {
    return std::string(host.substr(1, host.find(']') - 1));
  }
  return std::string(host.substr(0, host.find(':')));
}

bool has_body(const httplib::Request& request) {
  return request.has_header("Transfer-Encoding") ||
         (request.has_header("Content-Length") &&
          request.get_header_value("Content-Length") != "0");
}

}  // namespace

class Server::Implementation {
 public:
  Implementation(ServerOptions options, RouteTable routes, Metrics& metrics)
      : options_(std::move(options)),
        admission_(options_.token),
        routes_(std::move(routes)),
        metrics_(metrics) {}

  Status open() {
    if (!is_loopback(options_.host) && options_.token.empty()) {
      return usage_error("other addresses than loopback need a token");
    }
    if (options_.certificate.empty()) {
      begin(std::make_unique<Listener<httplib::Server>>());
    } else {
      begin(std::make_unique<Listener<httplib::SSLServer>>(options_.certificate.c_str(),
                                                           options_.key.c_str()));
    }
    if (!server_->is_valid()) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "the certificate and its key cannot be used",
                   .file = options_.certificate};
    }
    const bool is_bound = options_.port != 0
                              ? server_->bind_to_port(options_.host, options_.port)
                              : (options_.port = server_->bind_to_any_port(options_.host)) > 0;
    if (!is_bound) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = fmt::format("{}:{} cannot be listened at: it is in use, or not an "
                                          "address of this machine",
                                          options_.host, options_.port)};
    }
    widen_backlog_();
    clients_.emplace(options_.port, options_.client);
    return {};
  }

  [[nodiscard]] const ServerOptions& options() const { return options_; }

  void run() { server_->listen_after_bind(); }

  void stop() {
    server_->stop();
    clients_->end_all();
  }

 private:
  template <class Base>
  void begin(std::unique_ptr<Listener<Base>> listener) {
    widen_backlog_ = [raw = listener.get()] { raw->widen_backlog(); };
    server_ = std::move(listener);
    server_->new_task_queue = [this] { return new ConnectionThreads(options_.connections); };
    server_->set_tcp_nodelay(true);
    server_->set_keep_alive_max_count(1000);
    server_->set_read_timeout(kPatience);
    server_->set_write_timeout(kPatience);
    const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                  const httplib::ContentReader& body) {
      answer_request(request, response, body);
    };
    const auto plain = [this](const httplib::Request& request, httplib::Response& response) {
      const httplib::ContentReader none([](const httplib::ContentReceiver&) { return false; },
                                        [](const httplib::MultipartContentHeader&,
                                           const httplib::ContentReceiver&) { return false; });
      answer_request(request, response, none);
    };
    server_->Get(".*", plain);
    server_->Options(".*", plain);
    server_->Post(".*", with_body);
    server_->Put(".*", with_body);
    server_->Patch(".*", with_body);
    server_->Delete(".*", with_body);
    server_->set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty() && !response.has_header("Content-Length")) {
        answer(response, {response.status, "The request is not one of HTTP that is served here."});
      }
      set_security_headers(response);
    });
    server_->set_logger([this](const httplib::Request& request, const httplib::Response& response) {
      metrics_.add("elapid_requests_total", fmt::format("code=\"{}\"", response.status));
      clients_->end(request, response.status >= 400 && has_body(request));
    });
    server_->set_expect_100_continue_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const std::string length = request.get_header_value("Content-Length");
          if (std::strtoull(length.c_str(), nullptr, 10) <= options_.largest_body) {
            return 100;
          }
          answer(response,
                 {413, fmt::format("A body has at most {} bytes here.", options_.largest_body)});
          set_security_headers(response);
          return 413;
        });
    server_->set_pre_routing_handler(
        [](const httplib::Request& request, httplib::Response& response) {
          if (request.target.size() <= kLongestTarget) {
            return httplib::Server::HandlerResponse::Unhandled;
          }
          answer(response, {414, fmt::format("An address has at most {} bytes.", kLongestTarget)});
          return httplib::Server::HandlerResponse::Handled;
        });
  }

  void answer_request(const httplib::Request& request, httplib::Response& response,
                      const httplib::ContentReader& body) {
    const Status done = caught([&] { dispatch(request, response, body); });
    if (!done.ok()) {
      answer(response, problem_of(done.error()));
    }
    set_security_headers(response);
  }

  void dispatch(const httplib::Request& request, httplib::Response& response,
                const httplib::ContentReader& body) {
    Call call = {.request = request, .body = body};
    if (const auto wrong = clients_->begin(request)) {
      response.set_header("Retry-After", "1");
      return refuse(call, response, *wrong);
    }
    if (const auto wrong = foreign_origin(request)) {
      return refuse(call, response, *wrong);
    }
    auto found = routes_.find(request.method, request.path);
    if (const Problem* problem = std::get_if<Problem>(&found)) {
      if (problem->status == 405) {
        response.set_header("Allow", routes_.methods_of(request.path));
      }
      return refuse(call, response, *problem);
    }
    auto& [route, parts] = std::get<RouteTable::Found>(found);
    call.parts = std::move(parts);
    if (const auto problem = admission_.refusal(request, route->needs_token)) {
      if (problem->status == 401) {
        response.set_header("WWW-Authenticate", "Bearer");
      }
      return refuse(call, response, *problem);
    }
    if (const auto wrong = check_query(*route, request)) {
      return refuse(call, response, *wrong);
    }
    if (route->body.empty() && has_body(request)) {
      return refuse(call, response, {400, "This request has no body."});
    }
    route->handler(call, response);
    if (route->is_sign_in) {
      admission_.remember(request, response);
    }
  }

  /// Refuses requests that a page of another site makes a browser send, directly or by a host name
  /// that leads to this machine.
  [[nodiscard]] std::optional<Problem> foreign_origin(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    if (options_.token.empty() && !is_loopback(without_port(host))) {
      return Problem{403, "The header Host must name this machine: localhost, or its address."};
    }
    if (request.method == "GET" || request.method == "HEAD") {
      return std::nullopt;
    }
    const std::string origin = request.get_header_value("Origin");
    const bool is_own = origin.empty() || origin.substr(origin.find("://") + 3) == host;
    if (!is_own || request.get_header_value("Sec-Fetch-Site") == "cross-site") {
      return Problem{403, "Pages of other sites may not ask this service."};
    }
    return std::nullopt;
  }

  static void refuse(const Call& call, httplib::Response& response, const Problem& problem) {
    if (has_body(call.request)) {
      discard_body(call);
    }
    answer(response, problem);
  }

  ServerOptions options_;
  Admission admission_;
  RouteTable routes_;
  Metrics& metrics_;
  std::optional<Clients> clients_ = {};
  std::unique_ptr<httplib::Server> server_ = {};
  std::function<void()> widen_backlog_ = {};
};

Server::Server(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(ServerOptions options, RouteTable routes,
                                             Metrics& metrics) {
  auto implementation =
      std::make_unique<Implementation>(std::move(options), std::move(routes), metrics);
  ELAPID_RETURN_IF_ERROR(implementation->open());
  return std::unique_ptr<Server>(new Server(std::move(implementation)));
}

int Server::port() const {
  return implementation_->options().port;
}

std::string Server::address() const {
  const ServerOptions& options = implementation_->options();
  const bool is_v6 = options.host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", options.certificate.empty() ? "http" : "https",
                     is_v6 ? "[" + options.host + "]" : options.host, options.port);
}

void Server::run() {
  implementation_->run();
}

void Server::stop() {
  implementation_->stop();
}

bool is_loopback(const std::string& host) {
  in_addr v4 = {};
  in6_addr v6 = {};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return (ntohl(v4.s_addr) >> 24) == 127;
  }
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) {
    return IN6_IS_ADDR_LOOPBACK(&v6);
  }
  return host == "localhost";
}

bool is_same_secret(std::string_view given, std::string_view secret) {
  unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<unsigned char>(given[i] ^ secret[i % secret.size()]);
  }
  return difference == 0;
}

}  // namespace elapid::http
