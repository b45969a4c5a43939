// The table of the service's requests. A row has a method, a path, a handler, and its description
// in the OpenAPI document. The same rows match requests, check query parameters, and make the
// document.
//
//   RouteTable routes;
//   routes.add({.method = "GET", .path = "/v1/checks/{id}", .handler = ..., .summary = "..."});
//   routes.add_schema("Check", R"({"type": "object", ...})");
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/http/problem.h"

namespace httplib {
class ContentReader;
struct Request;
struct Response;
}  // namespace httplib

namespace elapid::http {

/// A request, for the handler of its row.
struct Call {
  const httplib::Request& request;
  const httplib::ContentReader& body;   ///< if the row has one; otherwise it is not read
  std::vector<std::string> parts = {};  ///< the values of `{...}` in the path, in order

  /// The value of a query parameter; nothing if it is absent.
  [[nodiscard]] std::optional<std::string> query(const std::string& name) const;
};

using Handler = std::function<void(const Call&, httplib::Response&)>;

/// A query parameter.
struct Parameter {
  std::string name;
  std::string type = "string";              ///< of JSON Schema: string, integer or boolean
  std::string help = {};                    ///< a sentence
  std::vector<std::string> choices = {};    ///< if not empty: the only values
  std::optional<std::string> example = {};  ///< for the document and for tests with it
};

/// The form of a body, sent or answered.
struct Content {
  std::string type;         ///< `application/json`
  std::string schema = {};  ///< the name of a schema; empty: bytes or text
};

struct Answer {
  int status;
  std::string help;
  std::vector<Content> contents = {};  ///< by Accept; empty: no body
};

struct Route {
  std::string method;  ///< GET, POST, DELETE
  std::string path;    ///< `/v1/checks/{id}`; `{path...}` at the end matches slashes too
  Handler handler;
  std::string summary = {};
  std::vector<Parameter> query = {};
  std::vector<Content> body = {};    ///< empty: no body
  std::vector<Answer> answers = {};  ///< of success
  std::vector<int> problems = {};    ///< statuses of problems, beside those of all rows
  bool is_sign_in = false;           ///< afterwards the browser needs no token
  bool needs_token = true;           ///< if the service has one
};

/// Reads and drops the body, at most `most` bytes.
void discard_body(const Call& call, std::size_t most = std::size_t{1} << 20);

class RouteTable {
 public:
  void add(Route route) { routes_.push_back(std::move(route)); }

  /// A JSON Schema that contents refer to by name.
  void add_schema(std::string name, std::string json) {
    schemas_.emplace_back(std::move(name), std::move(json));
  }

  struct Found {
    const Route* route;
    std::vector<std::string> parts;
  };

  /// The row for a request, or 404, or 405. HEAD is answered as GET.
  [[nodiscard]] std::variant<Found, Problem> find(std::string_view method,
                                                  std::string_view path) const;

  /// The methods of a path, for `Allow`: `GET, HEAD, POST`.
  [[nodiscard]] std::string methods_of(std::string_view path) const;

  [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

  /// The OpenAPI 3.1 document, as JSON.
  [[nodiscard]] std::string openapi(std::string_view version) const;

 private:
  std::vector<Route> routes_ = {};
  std::vector<std::pair<std::string, std::string>> schemas_ = {};
};

/// Errors of the query parameters: unknown ones, repeated ones, values of another type.
[[nodiscard]] std::optional<Problem> check_query(const Route& route,
                                                 const httplib::Request& request);

}  // namespace elapid::http
