// The routes about the service itself: its health, and the requests that it answers.
#pragma once

#include <functional>
#include <string>

#include "adapter/http/routes.h"

namespace elapid::http {

/// Adds GET /healthz, GET /metrics and GET /v1/openapi.json, and the schema Problem. Call it last:
/// the document lists the rows that the table then has. `metrics` returns lines in the text format
/// of Prometheus.
void add_service_routes(RouteTable& routes, const std::string& version,
                        std::function<std::string()> metrics);

}  // namespace elapid::http
