#include "adapter/http/runs/run_routes.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "adapter/http/checks/check_documents.h"
#include "engine/ir/json_string.h"

namespace elapid::http {
namespace {

constexpr const char* kRunsSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["runs", "total"],
  "properties": {"total": {"type": "integer", "minimum": 0, "description": "how many there are"},
    "runs": {"type": "array", "items": {"type": "object", "additionalProperties": false,
      "required": ["path", "state", "bytes", "changed", "check"],
      "properties": {"path": {"type": "string"},
        "state": {"enum": ["ended", "running", "folder"]},
        "bytes": {"type": "integer", "minimum": 0},
        "changed": {"type": "string", "format": "date-time"},
        "check": {"type": ["string", "null"], "description": "the address of its check"}}}}}})";

class RunHandlers {
 public:
  RunHandlers(const CheckService& service, StoredRuns& runs, RunChecks& checks)
      : service_(service), runs_(runs), checks_(checks) {}

  void list(const Call& call, httplib::Response& response) const {
    constexpr long kMost = 10000;
    const long limit = std::strtol(call.query("limit").value_or("500").c_str(), nullptr, 10);
    if (limit < 1 || limit > kMost) {
      return answer(response, {400, fmt::format("The parameter limit is from 1 to {}.", kMost)});
    }
    const std::vector<StoredRun> runs = runs_.list();
    const auto jobs = checks_.jobs_of(runs);
    if (!jobs) {
      return answer(response, problem_of(jobs.error()));
    }
    std::string json;
    for (const StoredRun& run :
         std::span(runs).first(std::min(runs.size(), static_cast<std::size_t>(limit)))) {
      const auto job = jobs.value().find(run.path);
      json += fmt::format(
          R"({}{{"path":{},"state":"{}","bytes":{},"changed":"{}","check":{}}})",
          json.empty() ? "" : ",", json_quoted(run.path), word_of(run.state), run.bytes,
          time_text(run.changed),
          job == jobs.value().end() ? "null" : json_quoted("/v1/checks/" + job->second));
    }
    response.set_content(fmt::format(R"({{"total":{},"runs":[{}]}})", runs.size(), json) + "\n",
                         "application/json");
  }

  void check(const Call& call, httplib::Response& response) const {
    const auto run = runs_.find(call.query("path").value_or(""));
    if (!run) {
      return answer(response, {404, "There is no run of this path."});
    }
    auto options = service_.door.options_of(options_in(call.request, service_.door.parameters));
    if (!options) {
      return answer(response, problem_of(options.error()));
    }
    const auto checked = checks_.check(*run, std::move(options).value());
    if (const auto* problem = std::get_if<Problem>(&checked)) {
      return answer(response, *problem);
    }
    const Job& job = std::get<Job>(checked);
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    response.status = 202;
    response.set_header("Location", "/v1/checks/" + job.id);
    response.set_content(job_document(job, {.now = now.count()}, Syntax::kJson),
                         "application/json");
  }

 private:
  CheckService service_;
  StoredRuns& runs_;
  RunChecks& checks_;
};

}  // namespace

void add_run_routes(RouteTable& routes, const CheckService& service, StoredRuns& runs,
                    RunChecks& checks) {
  routes.add_schema("Runs", kRunsSchema);
  const RunHandlers handlers(service, runs, checks);
  routes.add({.method = "GET",
              .path = "/v1/runs",
              .handler = [handlers](const Call& call,
                                    httplib::Response& response) { handlers.list(call, response); },
              .summary = "The runs of the store that the service was started with, newest first",
              .query = {{.name = "limit", .type = "integer", .help = "At most so many."}},
              .answers = {{200, "Some of them.", {{"application/json", "Runs"}}}},
              .problems = {400}});
  std::vector<Parameter> query = {
      {.name = "path", .help = "The run, as the list has it.", .example = "run.edn"}};
  query.insert(query.end(), service.door.parameters.begin(), service.door.parameters.end());
  routes.add(
      {.method = "POST",
       .path = "/v1/runs",
       .handler = [handlers](const Call& call,
                             httplib::Response& response) { handlers.check(call, response); },
       .summary = "Check a copy of a run of the store",
       .query = std::move(query),
       .answers = {{202, "The check, accepted, or done before.", {{"application/json", "Check"}}}},
       .problems = {400, 404, 409, 413, 507}});
}

}  // namespace elapid::http
