#include "adapter/http/service_routes.h"

#include <httplib.h>

#include <memory>
#include <utility>

namespace elapid::http {
namespace {

constexpr const char* kProblemSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["type", "title", "status", "detail"],
  "properties": {"type": {"const": "about:blank"}, "title": {"type": "string"},
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": {"type": "string", "minLength": 1}}})";

constexpr const char* kHealthSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["status"], "properties": {"status": {"const": "ok"}}})";

}  // namespace

void add_service_routes(RouteTable& routes, const std::string& version,
                        std::function<std::string()> metrics) {
  routes.add_schema("Problem", kProblemSchema);
  routes.add_schema("Health", kHealthSchema);
  routes.add({.method = "GET",
              .path = "/healthz",
              .handler =
                  [](const Call&, httplib::Response& response) {
                    response.set_content("{\"status\": \"ok\"}\n", "application/json");
                  },
              .summary = "Whether the service answers",
              .answers = {{200, "It does.", {{"application/json", "Health"}}}},
              .needs_token = false});
  routes.add({.method = "GET",
              .path = "/metrics",
              .handler =
                  [metrics = std::move(metrics)](const Call&, httplib::Response& response) {
                    response.set_content(metrics(), "text/plain; version=0.0.4");
                  },
              .summary = "Numbers for Prometheus",
              .answers = {{200, "Its text format.", {{"text/plain"}}}}});
  const auto document = std::make_shared<std::string>();
  routes.add({.method = "GET",
              .path = "/v1/openapi.json",
              .handler =
                  [document](const Call&, httplib::Response& response) {
                    response.set_content(*document, "application/json");
                  },
              .summary = "This document",
              .answers = {{200, "An OpenAPI document.", {{"application/json"}}}}});
  *document = routes.openapi(version);
}

}  // namespace elapid::http
