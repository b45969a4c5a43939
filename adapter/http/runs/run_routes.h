// The addresses of the runs of a store: /v1/runs.
#pragma once

#include "adapter/http/checks/check_routes.h"
#include "adapter/http/routes.h"
#include "adapter/http/runs/run_checks.h"
#include "adapter/http/runs/stored_runs.h"

namespace elapid::http {

/// Borrows all arguments. The schema Check is that of the checks' routes.
void add_run_routes(RouteTable& routes, const CheckService& service, StoredRuns& runs,
                    RunChecks& checks);

}  // namespace elapid::http
