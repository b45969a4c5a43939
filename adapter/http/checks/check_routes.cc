#include "adapter/http/checks/check_routes.h"

#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/http/checks/check_documents.h"
#include "engine/ir/visible.h"
#include "parsers/door/names.h"

namespace elapid::http {
namespace {

constexpr std::size_t kMostListed = 500;
constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
constexpr std::uint64_t kLargestResult = std::uint64_t{64} << 20;

/// A report contains script, style and text of histories. The policy keeps it from reaching the
/// service.
constexpr const char* kReportPolicy =
    "sandbox allow-scripts allow-popups allow-downloads; default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'";

std::int64_t now_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

const std::vector<Content>& job_contents() {
  static const std::vector<Content> contents = {{"application/json", "Check"}, {"application/edn"}};
  return contents;
}

/// The media type of a file of evidence.
std::string type_of(const std::string& path) {
  constexpr std::pair<std::string_view, const char*> kTypes[] = {
      {".html", "text/html; charset=utf-8"}, {".svg", "image/svg+xml"},
      {".txt", "text/plain; charset=utf-8"}, {".md", "text/markdown; charset=utf-8"},
      {".dot", "text/plain; charset=utf-8"}, {".edn", "application/edn"},
      {".json", "application/json"}};
  for (const auto& [end, type] : kTypes) {
    if (path.ends_with(end)) {
      return type;
    }
  }
  return "application/octet-stream";
}

/// Sends a file in pieces.
void send(httplib::Response& response, std::unique_ptr<KeptFile> file, const std::string& type) {
  const std::shared_ptr<KeptFile> shared = std::move(file);
  if (shared->size() == 0) {
    return response.set_content("", type);
  }
  response.set_content_provider(
      shared->size(), type,
      [shared](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        const Result<std::string> bytes = shared->read(offset, std::min(length, kPieceBytes));
        return bytes && !bytes.value().empty() &&
               sink.write(bytes.value().data(), bytes.value().size());
      });
}

class CheckRoutes {
 public:
  explicit CheckRoutes(const CheckService& service) : service_(service) {}

  void post(const Call& call, httplib::Response& response) const {
    const auto syntax = accepted(call, response);
    Question question = {.name = call.query("name").value_or("")};
    auto wrong = syntax ? options_wrong(call, question) : std::nullopt;
    if (!syntax || wrong) {
      discard_body(call);
      return wrong ? http::answer(response, *wrong) : void();
    }
    const std::string file = service_.files.scratch() + "/" + random_name();
    auto received = receive(call, file, service_.limits);
    if (const Problem* problem = std::get_if<Problem>(&received)) {
      return http::answer(response, *problem);
    }
    const Upload& upload = std::get<Upload>(received);
    question.digest = upload.digest;
    question.bytes = upload.bytes;
    if (question.name.empty()) {
      question.name = upload.digest.substr(0, 12);
    }
    const Result<JobQueue::Added> added = accept_history(service_, question, file);
    ::unlink(file.c_str());
    if (!added) {
      return http::answer(response, trouble(added.error()));
    }
    service_.metrics.add("elapid_accepted_total",
                         added.value().is_new ? "job=\"new\"" : "job=\"known\"");
    response.set_header("Location", "/v1/checks/" + added.value().job.id);
    send_job(response, added.value().job, *syntax, false);
    response.status = 202;
  }

  void get(const Call& call, httplib::Response& response) const {
    const auto syntax = accepted(call, response);
    const auto job = syntax ? find(call, response) : std::nullopt;
    if (job) {
      send_job(response, *job, *syntax, true);
    }
  }

  void list(const Call& call, httplib::Response& response) const {
    const auto syntax = accepted(call, response);
    auto filter = syntax ? filter_of(call) : Problem{};
    if (const Problem* problem = std::get_if<Problem>(&filter)) {
      return syntax ? http::answer(response, *problem) : void();
    }
    JobFilter& asked = std::get<JobFilter>(filter);
    const std::size_t limit = asked.limit++;  // one more shows whether there is a next page
    Result<std::vector<Job>> jobs = service_.queue.list(asked);
    if (!jobs) {
      return http::answer(response, trouble(jobs.error()));
    }
    std::string next;
    if (jobs.value().size() > limit) {
      jobs.value().pop_back();
      next = next_page(call, jobs.value().back());
    }
    response.set_content(list_document(jobs.value(), next, now_milliseconds(), *syntax),
                         content_type(*syntax));
  }

  /// A full disk has no room for the statement that removes a check. The check's files make room.
  [[nodiscard]] Result<std::optional<Job>> removed_job(const std::string& id) const {
    Result<std::optional<Job>> removed = service_.queue.remove(id);
    const bool is_full = !removed && problem_of(removed.error()).status == 507;
    const Result<std::optional<Job>> job =
        is_full ? service_.queue.find(id) : Result<std::optional<Job>>(std::nullopt);
    if (job && job.value() && service_.files.remove(job.value()->folder).ok()) {
      removed = service_.queue.remove(id);
    }
    return removed;
  }

  void remove(const Call& call, httplib::Response& response) const {
    const Result<std::optional<Job>> removed =
        is_job_id(call.parts.front()) ? removed_job(call.parts.front()) : std::optional<Job>();
    if (!removed) {
      return http::answer(response, trouble(removed.error()));
    }
    if (!removed.value()) {
      return http::answer(response, no_job());
    }
    // The next start removes what cannot be removed now.
    (void)service_.files.remove(removed.value()->folder);
    response.status = 204;
  }

  void history(const Call& call, httplib::Response& response) const {
    if (const auto job = find(call, response)) {
      response.set_header("Content-Disposition",
                          "attachment; filename*=UTF-8''" + percent_encoded(job->question.name));
      send_file(response, *job, "history", "application/octet-stream");
    }
  }

  void report(const Call& call, httplib::Response& response) const {
    const auto job = find_answered(call, response);
    const auto paths = job ? evidence_of(*job, response) : std::nullopt;
    if (!paths) {
      return;
    }
    const std::string folder = folder_of_report(*paths);
    if (std::ranges::find(*paths, folder + kReport) == paths->end()) {
      return http::answer(response, {404, "This check left no report."});
    }
    send_evidence(response, *job, folder + kReport);
  }

  /// Redirects to the page beside its report: the two link to each other.
  void order(const Call& call, httplib::Response& response) const {
    const auto job = find_answered(call, response);
    const auto paths = job ? evidence_of(*job, response) : std::nullopt;
    if (!paths) {
      return;
    }
    const std::string page = folder_of_report(*paths) + "order.html";
    if (std::ranges::find(*paths, page) == paths->end()) {
      return http::answer(response, {404, "This check left no order of operations."});
    }
    response.set_redirect("/v1/checks/" + job->id + "/evidence/" + percent_encoded(page, true),
                          303);
  }

  void evidence(const Call& call, httplib::Response& response) const {
    const auto syntax = accepted(call, response);
    const auto job = syntax ? find_answered(call, response) : std::nullopt;
    const auto paths = job ? evidence_of(*job, response) : std::nullopt;
    if (paths) {
      response.set_content(evidence_document(*job, *paths, *syntax), content_type(*syntax));
    }
  }

  void evidence_file(const Call& call, httplib::Response& response) const {
    const auto job = find_answered(call, response);
    const auto paths = job ? evidence_of(*job, response) : std::nullopt;
    if (!paths) {
      return;
    }
    // A path is only compared with the listed files; it is never opened by itself.
    if (std::ranges::find(*paths, call.parts[1]) == paths->end()) {
      return http::answer(response, {404, "This check left no such file."});
    }
    send_evidence(response, *job, call.parts[1]);
  }

 private:
  static constexpr const char* kReport = "report.html";

  /// The folder of the first report, with a slash. With several histories each has a folder of its
  /// own.
  static std::string folder_of_report(const std::vector<std::string>& paths) {
    const auto found = std::ranges::find_if(paths, [](const std::string& path) {
      return path == kReport || path.ends_with(std::string("/") + kReport);
    });
    return found == paths.end() ? ""
                                : found->substr(0, found->size() - std::string(kReport).size());
  }

  static Problem no_job() { return {404, "There is no check of this id."}; }

  /// The problem of a failed database or disk. The error's text is for the operator only.
  [[nodiscard]] Problem trouble(const Error& error) const {
    const Problem problem = problem_of(error);
    if (problem.status == 507) {
      return problem;
    }
    service_.metrics.add("elapid_queue_errors_total", "");
    return {503, "The service cannot reach what it keeps its checks in; try again later."};
  }

  static std::optional<Syntax> accepted(const Call& call, httplib::Response& response) {
    const auto syntax = syntax_accepted(call.request.get_header_value("Accept"));
    if (!syntax) {
      http::answer(response, {406, "This is answered as application/json or application/edn."});
    }
    return syntax;
  }

  /// Sets the options of a question. Returns what is wrong with them.
  std::optional<Problem> options_wrong(const Call& call, Question& question) const {
    if (auto problem = name_wrong(question.name)) {
      return problem;
    }
    question.name = visible_line(question.name);
    Result<std::vector<std::string>> options =
        service_.door.options_of(options_in(call.request, service_.door.parameters));
    if (!options) {
      return Problem{400, options.error().message};
    }
    question.options = std::move(options).value();
    return std::nullopt;
  }

  std::optional<Job> find(const Call& call, httplib::Response& response) const {
    const std::string& id = call.parts.front();
    Result<std::optional<Job>> job = is_job_id(id) ? service_.queue.find(id) : std::optional<Job>();
    if (!job) {
      http::answer(response, trouble(job.error()));
      return std::nullopt;
    }
    if (!job.value()) {
      http::answer(response, no_job());
    }
    return std::move(job.value());
  }

  /// A job that is done.
  std::optional<Job> find_answered(const Call& call, httplib::Response& response) const {
    auto job = find(call, response);
    if (job && job->state != JobState::kDone) {
      http::answer(response, {409, fmt::format("This check is {}, not done.", name(job->state))});
      return std::nullopt;
    }
    return job;
  }

  [[nodiscard]] static std::string evidence_folder(const Job& job) {
    return std::to_string(job.attempt) + "/evidence/";
  }

  std::optional<std::vector<std::string>> evidence_of(const Job& job,
                                                      httplib::Response& response) const {
    Result<std::vector<std::string>> paths = service_.files.list(job.folder, evidence_folder(job));
    if (!paths) {
      http::answer(response, trouble(paths.error()));
      return std::nullopt;
    }
    std::erase_if(paths.value(), [](const std::string& path) { return path.starts_with('.'); });
    return std::move(paths.value());
  }

  void send_job(httplib::Response& response, const Job& job, Syntax syntax,
                bool with_result) const {
    JobFacts facts = {.now = now_milliseconds()};
    if (job.state == JobState::kQueued) {
      const Result<std::int64_t> position = service_.queue.position(job);
      facts.position = position ? std::optional(position.value()) : std::nullopt;
    }
    if (with_result && job.state == JobState::kDone) {
      const auto file =
          service_.files.open(job.folder, std::to_string(job.attempt) + "/result.edn");
      if (file && file.value() && file.value()->size() <= kLargestResult) {
        const auto text = file.value()->read(0, static_cast<std::size_t>(file.value()->size()));
        facts.result = text ? text.value() : "";
      }
    }
    response.set_content(job_document(job, facts, syntax), content_type(syntax));
  }

  void send_file(httplib::Response& response, const Job& job, const std::string& path,
                 const std::string& type) const {
    Result<std::unique_ptr<KeptFile>> file = service_.files.open(job.folder, path);
    if (!file) {
      return http::answer(response, trouble(file.error()));
    }
    if (!file.value()) {
      return http::answer(response, {404, "There is no such file any more."});
    }
    send(response, std::move(file.value()), type);
  }

  void send_evidence(httplib::Response& response, const Job& job, const std::string& path) const {
    response.set_header("Content-Security-Policy", kReportPolicy);
    response.set_header("X-Frame-Options", "SAMEORIGIN");
    send_file(response, job, evidence_folder(job) + path, type_of(path));
  }

  static std::variant<JobFilter, Problem> filter_of(const Call& call) {
    JobFilter filter = {.verdict = call.query("verdict").value_or(""),
                        .state = call.query("state").value_or("")};
    if (const auto level = call.query("level")) {
      const Result<Model> model = parse_model(*level);
      if (!model) {
        return Problem{400, model.error().message};
      }
      filter.level = friendly_name(model.value());
    }
    if (const auto since = call.query("since")) {
      filter.since = parse_time(*since);
      if (!filter.since) {
        return Problem{400,
                       "The parameter since must be a date or a time in UTC, as 2026-11-26 or "
                       "2026-11-26T20:15:00Z."};
      }
    }
    if (const auto limit = call.query("limit")) {
      filter.limit = static_cast<std::size_t>(std::stoull(*limit));
      if (limit->starts_with('-') || filter.limit < 1 || filter.limit > kMostListed) {
        return Problem{400, fmt::format("The parameter limit must be from 1 to {}.", kMostListed)};
      }
    }
    if (const auto after = call.query("after")) {
      filter.after = std::stoll(*after);
    }
    return filter;
  }

  static std::string next_page(const Call& call, const Job& last) {
    std::string next = "/v1/checks?";
    for (const auto& [name, value] : call.request.params) {
      if (name != "after") {
        next += name + "=" + percent_encoded(value) + "&";
      }
    }
    return next + "after=" + std::to_string(last.sequence);
  }

  CheckService service_;
};

Route job_route(std::string method, std::string end, std::string summary) {
  return {.method = std::move(method),
          .path = "/v1/checks/{id}" + end,
          .handler = {},
          .summary = std::move(summary),
          .problems = {404, 503}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> options_in(
    const httplib::Request& request, const std::vector<Parameter>& parameters) {
  std::vector<std::pair<std::string, std::string>> options;
  for (const Parameter& parameter : parameters) {
    if (request.has_param(parameter.name)) {
      options.emplace_back(parameter.name, request.get_param_value(parameter.name));
    }
  }
  return options;
}

/// Stores the history first, so that a job always has its history.
Result<JobQueue::Added> accept_history(const CheckService& service, const Question& question,
                                       const std::string& file) {
  const std::string folder = random_name();
  const Result<std::optional<Job>> known = service.queue.find(question.id());
  if (known && known.value() && known.value()->state != JobState::kFailed) {
    return JobQueue::Added{*known.value(), false};
  }
  if (const Status kept = service.files.put_history(folder, file); !kept.ok()) {
    (void)service.files.remove(folder);
    return kept.error();
  }
  Result<JobQueue::Added> added = service.queue.add(question, folder);
  if (added && !added.value().is_new) {
    (void)service.files.remove(folder);
  }
  if (added && service.wake) {
    service.wake();
  }
  return added;
}

void add_check_routes(RouteTable& routes, const CheckService& service) {
  const auto shared = std::make_shared<CheckRoutes>(service);
  const auto calls = [&](auto method) {
    return [shared, method](const Call& call, httplib::Response& response) {
      ((*shared).*method)(call, response);
    };
  };
  add_check_schemas(routes);
  std::vector<Parameter> parameters = {
      {.name = "name", .help = "What to call the history, for people.", .example = "nightly"}};
  parameters.insert(parameters.end(), service.door.parameters.begin(),
                    service.door.parameters.end());
  routes.add({.method = "POST",
              .path = "/v1/checks",
              .handler = calls(&CheckRoutes::post),
              .summary = "Check a history. The body is its bytes, in any format that elapid check "
                         "reads, plain or compressed, whatever the content type",
              .query = std::move(parameters),
              .body = {{"application/octet-stream"},
                       {"application/x-www-form-urlencoded"},
                       {"multipart/form-data"}},
              .answers = {{202, "The check, accepted, or done before.", job_contents()}},
              .problems = {400, 406, 408, 411, 413, 415, 429, 503, 507}});
  routes.add(
      {.method = "GET",
       .path = "/v1/checks",
       .handler = calls(&CheckRoutes::list),
       .summary = "The checks, newest first",
       .query = {{.name = "level",
                  .help = "Those that were asked for this level; with verdict, those where "
                          "it has this verdict.",
                  .example = "serializable"},
                 {.name = "verdict", .choices = {"valid", "invalid", "unknown", "malformed"}},
                 {.name = "state", .choices = {"queued", "running", "done", "failed"}},
                 {.name = "since",
                  .help = "Those accepted then or later: a date or a time in UTC.",
                  .example = "2026-01-31"},
                 {.name = "limit", .type = "integer", .help = "Of a page, at most 500."},
                 {.name = "after", .type = "integer", .help = "As next has it."}},
       .answers = {{200,
                    "A page of the list.",
                    {{"application/json", "Checks"}, {"application/edn"}}}},
       .problems = {400, 406, 503}});
  const auto add = [&](Route route, auto method, Answer answer, std::vector<int> more = {}) {
    route.handler = calls(method);
    route.answers = {std::move(answer)};
    route.problems.insert(route.problems.begin(), more.begin(), more.end());
    routes.add(std::move(route));
  };
  add(job_route("GET", "", "A check: its state, and its result once it is done"), &CheckRoutes::get,
      {200, "The check.", job_contents()}, {406});
  add(job_route("DELETE", "", "Forget a check and its files; one that runs is ended"),
      &CheckRoutes::remove, {204, "It is gone."});
  add(job_route("GET", "/history", "The bytes that were posted"), &CheckRoutes::history,
      {200, "The history.", {{"application/octet-stream"}}});
  add(job_route("GET", "/report", "The report, a page; of several histories the first one's"),
      &CheckRoutes::report, {200, "The page.", {{"text/html"}}}, {409});
  add(job_route("GET", "/order.html", "Where the report's link to the order of operations leads"),
      &CheckRoutes::order, {303, "The page is among the evidence; Location says where."}, {409});
  add(job_route("GET", "/evidence", "The files that the check left"), &CheckRoutes::evidence,
      {200, "Their list.", {{"application/json", "Evidence"}, {"application/edn"}}}, {406, 409});
  add(job_route("GET", "/evidence/{path...}", "One of these files"), &CheckRoutes::evidence_file,
      {200, "The file.", {{"*/*"}}}, {409});
}

}  // namespace elapid::http
