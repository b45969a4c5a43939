#include "adapter/http/checks/check_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace elapid::http {
namespace {

/// Splits `--levels=serializable` into name and value. A flag's value is true.
std::pair<std::string_view, std::string_view> name_and_value(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const std::size_t equals = option.find('=');
  return equals == std::string_view::npos
             ? std::pair(option, std::string_view("true"))
             : std::pair(option.substr(0, equals), option.substr(equals + 1));
}

void write_pairs_of_options(DocumentWriter& out, const Job& job) {
  out.key("options").open(Container::kMap);
  for (const std::string& option : job.question.options) {
    const auto [name, value] = name_and_value(option);
    out.key(name).string(value);
  }
  out.close();
}

/// Writes `,serializable:invalid,` as a map.
void write_levels(DocumentWriter& out, std::string_view levels) {
  out.key("levels").open(Container::kMap);
  while (levels.size() > 1) {
    levels.remove_prefix(1);
    const std::size_t colon = levels.find(':');
    const std::size_t end = levels.find(',');
    if (colon >= end || end == std::string_view::npos) {
      break;
    }
    out.key(levels.substr(0, colon)).string(levels.substr(colon + 1, end - colon - 1));
    levels.remove_prefix(end);
  }
  out.close();
}

void write_findings(DocumentWriter& out, const Outcome& outcome) {
  out.key("anomalies").open(Container::kVector);
  for (std::string_view rest = outcome.anomalies; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    out.string(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.close();
  out.key("transactions").integer(outcome.transactions);
}

void write_progress(DocumentWriter& out, const Job& job, const JobFacts& facts) {
  if (job.state == JobState::kQueued && facts.position) {
    out.key("position").integer(*facts.position);
  }
  if (job.started != 0 && job.state != JobState::kQueued) {
    const std::int64_t end = job.state == JobState::kRunning ? facts.now : job.finished;
    out.key("milliseconds").integer(std::max<std::int64_t>(end - job.started, 0));
  }
}

void write_times(DocumentWriter& out, const Job& job) {
  out.key("created").string(time_text(job.created));
  if (job.started != 0) {
    out.key("started").string(time_text(job.started));
  }
  if (job.finished != 0 && job.state != JobState::kQueued && job.state != JobState::kRunning) {
    out.key("finished").string(time_text(job.finished));
  }
}

void write_links(DocumentWriter& out, const std::string& address, const Job& job) {
  out.key("links").open(Container::kMap);
  out.key("history").string(address + "/history");
  if (job.state == JobState::kDone && job.outcome.verdict != "malformed") {
    out.key("report").string(address + "/report");
    out.key("evidence").string(address + "/evidence");
  }
  out.close();
}

void write_job(DocumentWriter& out, const Job& job, const JobFacts& facts) {
  const std::string address = "/v1/checks/" + job.id;
  out.open(Container::kMap);
  out.key("id").string(job.id);
  out.key("href").string(address);
  out.key("name").string(job.question.name);
  out.key("state").string(name(job.state));
  if (job.state == JobState::kDone) {
    out.key("verdict").string(job.outcome.verdict);
    write_findings(out, job.outcome);
  }
  write_levels(out, job.outcome.levels);
  if (!job.outcome.error.empty()) {
    out.key("error").string(job.outcome.error);
  }
  write_progress(out, job, facts);
  write_pairs_of_options(out, job);
  out.key("bytes").integer(job.question.bytes);
  out.key("sha256").string(job.question.digest);
  write_times(out, job);
  write_links(out, address, job);
  if (!facts.result.empty()) {
    out.key("result").form(facts.result);
  }
  out.close();
}

}  // namespace

std::optional<Syntax> syntax_accepted(const std::string& accept) {
  std::string_view rest = accept;
  if (rest.find_first_not_of(" ,") == std::string_view::npos) {
    return Syntax::kJson;
  }
  while (!rest.empty()) {
    std::string_view range = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(range.size() + 1, rest.size()));
    range = range.substr(0, range.find(';'));
    range.remove_prefix(std::min(range.find_first_not_of(' '), range.size()));
    range = range.substr(0, range.find_last_not_of(' ') + 1);
    if (range == "application/edn") {
      return Syntax::kEdn;
    }
    if (range == "application/json" || range == "application/*" || range == "*/*") {
      return Syntax::kJson;
    }
  }
  return std::nullopt;
}

std::string content_type(Syntax syntax) {
  return syntax == Syntax::kEdn ? "application/edn" : "application/json";
}

std::string job_document(const Job& job, const JobFacts& facts, Syntax syntax) {
  DocumentWriter out(syntax);
  write_job(out, job, facts);
  return std::move(out).take() + "\n";
}

std::string list_document(const std::vector<Job>& jobs, const std::string& next, std::int64_t now,
                          Syntax syntax) {
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  out.key("checks").each(jobs, 1, [&](const Job& job) { write_job(out, job, {.now = now}); });
  if (!next.empty()) {
    out.key("next").string(next);
  }
  out.close();
  return std::move(out).take() + "\n";
}

std::string evidence_document(const Job& job, const std::vector<std::string>& paths,
                              Syntax syntax) {
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  out.key("files").each_map(paths, 1, [&](const std::string& path) {
    out.key("path").string(path);
    out.key("href").string("/v1/checks/" + job.id + "/evidence/" + percent_encoded(path, true));
  });
  out.close();
  return std::move(out).take() + "\n";
}

void add_check_schemas(RouteTable& routes) {
  routes.add_schema("Check", R"({"type": "object", "additionalProperties": false,
  "required": ["id", "href", "name", "state", "levels", "options", "bytes", "sha256", "created", "links"],
  "properties": {
    "id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "href": {"type": "string", "description": "its address"},
    "name": {"type": "string"},
    "state": {"enum": ["queued", "running", "done", "failed"]},
    "verdict": {"enum": ["valid", "invalid", "unknown", "malformed"], "description": "once it is done; malformed: the bytes are no history"},
    "levels": {"type": "object", "description": "what is known of each level that was asked for",
      "additionalProperties": {"enum": ["valid", "invalid", "unknown"]}},
    "anomalies": {"type": "array", "items": {"type": "string"}, "description": "the types found, once it is done"},
    "transactions": {"type": "integer", "minimum": 0},
    "error": {"type": "string", "description": "why it is malformed, or failed"},
    "position": {"type": "integer", "minimum": 0, "description": "how many wait before it"},
    "milliseconds": {"type": "integer", "minimum": 0, "description": "for which it has run"},
    "options": {"type": "object", "additionalProperties": {"type": "string"}},
    "bytes": {"type": "integer", "minimum": 0},
    "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "created": {"type": "string", "format": "date-time"},
    "started": {"type": "string", "format": "date-time"},
    "finished": {"type": "string", "format": "date-time"},
    "links": {"type": "object", "required": ["history"], "additionalProperties": {"type": "string"}},
    "result": {"type": ["object", "array"], "description": "the result map (docs/result-map.md); with independent, a list of maps with key and result"}}})");
  routes.add_schema("Checks", R"({"type": "object", "additionalProperties": false,
  "required": ["checks"],
  "properties": {"checks": {"type": "array", "items": {"$ref": "#/components/schemas/Check"}},
    "next": {"type": "string", "description": "the address of the next page, if there is one"}}})");
  routes.add_schema("Evidence", R"({"type": "object", "additionalProperties": false,
  "required": ["files"],
  "properties": {"files": {"type": "array", "items": {"type": "object", "additionalProperties": false,
    "required": ["path", "href"],
    "properties": {"path": {"type": "string"}, "href": {"type": "string"}}}}}})");
}

std::string percent_encoded(std::string_view text, bool keep_slashes) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("-._~").find(c) != std::string_view::npos ||
                          (keep_slashes && c == '/');
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace elapid::http
