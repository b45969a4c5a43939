#include "adapter/http/routes.h"

#include <httplib.h>

#include <catch2/catch.hpp>

#include "adapter/http/server.h"

using namespace elapid;
using namespace elapid::http;

namespace {

RouteTable table() {
  RouteTable routes;
  for (const char* const path :
       {"/v1/checks", "/v1/checks/{id}", "/v1/checks/{id}/evidence/{path...}"}) {
    routes.add({.method = "GET", .path = path, .handler = {}});
  }
  routes.add({.method = "POST",
              .path = "/v1/checks",
              .handler = {},
              .query = {{.name = "levels"},
                        {.name = "limit", .type = "integer"},
                        {.name = "salvage", .type = "boolean"},
                        {.name = "verdict", .choices = {"valid", "invalid"}}}});
  return routes;
}

std::vector<std::string> parts_of(const RouteTable& routes, std::string_view path) {
  const auto found = routes.find("GET", path);
  const auto* const there = std::get_if<RouteTable::Found>(&found);
  return there != nullptr ? there->parts : std::vector<std::string>{"nothing"};
}

int problem_with(const RouteTable& routes, std::string_view method, std::string_view path) {
  const auto found = routes.find(method, path);
  const auto* const problem = std::get_if<Problem>(&found);
  return problem != nullptr ? problem->status : 200;
}

std::string wrong_with(const std::string& name, const std::string& value) {
  const RouteTable routes = table();
  httplib::Request request;
  request.params.emplace(name, value);
  const auto wrong = check_query(routes.routes().back(), request);
  return wrong ? wrong->detail : "";
}

}  // namespace

TEST_CASE("routes: a path is one row's, with what stands for its braces") {
  const RouteTable routes = table();
  CHECK(parts_of(routes, "/v1/checks").empty());
  CHECK(parts_of(routes, "/v1/checks/a") == std::vector<std::string>{"a"});
  CHECK(parts_of(routes, "/v1/checks/a/evidence/b/c") == std::vector<std::string>{"a", "b/c"});
  for (const char* const path : {"", "/", "/v1", "/v1/checks/", "/v1/checks/a/", "/v1/checks/a/b",
                                 "v1/checks", "/v1/checks/a/evidence", "//v1/checks"}) {
    INFO(path);
    CHECK(problem_with(routes, "GET", path) == 404);
  }
  CHECK(problem_with(routes, "HEAD", "/v1/checks") == 200);
  CHECK(problem_with(routes, "PUT", "/v1/checks") == 405);
  CHECK(routes.methods_of("/v1/checks") == "GET, HEAD, POST");
}

TEST_CASE("routes: query parameters are those of the row, once each, of their types") {
  CHECK(wrong_with("levels", "anything").empty());
  CHECK(wrong_with("limit", "12").empty());
  CHECK(wrong_with("salvage", "").empty());
  CHECK(wrong_with("salvage", "true").empty());
  CHECK(wrong_with("levles", "x") == "There is no parameter levles; did you mean levels?");
  CHECK(wrong_with("limit", "12x") == "The parameter limit must be an integer, not 12x.");
  CHECK(wrong_with("salvage", "1") == "The parameter salvage must be true or false, not 1.");
  CHECK(wrong_with("verdict", "no\n") ==
        "The parameter verdict must be one of valid, invalid, not no\\n.");
}

TEST_CASE("server: addresses of the machine itself, and secrets") {
  for (const char* const host : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
    CHECK(is_loopback(host));
  }
  for (const char* const host : {"0.0.0.0", "::", "128.0.0.1", "127.0.0.1.evil.example", ""}) {
    CHECK_FALSE(is_loopback(host));
  }
  CHECK(is_same_secret("secret", "secret"));
  for (const char* const given : {"", "secre", "secret ", "secrets", "sEcret"}) {
    CHECK_FALSE(is_same_secret(given, "secret"));
  }
}
