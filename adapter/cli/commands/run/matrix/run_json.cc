#include "adapter/cli/commands/run/matrix/run_json.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "adapter/cli/journal.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

void write_number(DocumentWriter& out, std::string_view key, std::uint64_t number) {
  out.key(key).integer(number);
}

void write_rate(DocumentWriter& out, const MatrixRun& run) {
  const Rate rate = rate_of(run.all_anomalies(), run.committed);
  out.key("per-thousand").form(fmt::format("{:.4f}", rate.per_thousand));
  out.key("per-thousand-95").open(Container::kVector);
  out.form(fmt::format("{:.4f}", rate.least));
  out.form(fmt::format("{:.4f}", rate.most));
  out.close();
}

Validity validity_of(std::string_view word) {
  return word == "valid"     ? Validity::kValid
         : word == "invalid" ? Validity::kInvalid
                             : Validity::kUnknown;
}

std::vector<Standing> standings_of(json::Value map) {
  std::vector<Standing> standings;
  for (json::Value key = map.begin(); key != map.end(); key = key.next().next()) {
    const std::optional<Model> model = find_model(key.text());
    if (model) {
      standings.push_back({.model = *model, .validity = validity_of(key.next().text())});
    }
  }
  return standings;
}

std::vector<AnomalyCount> anomalies_of(json::Value map) {
  std::vector<AnomalyCount> anomalies;
  for (json::Value key = map.begin(); key != map.end(); key = key.next().next()) {
    anomalies.push_back({std::string(key.text()), number_field<std::uint64_t>(map, key.text())});
  }
  return anomalies;
}

}  // namespace

void write_standings(DocumentWriter& out, const std::vector<Standing>& standings) {
  out.key("levels").open(Container::kMap);
  for (const Standing& standing : standings) {
    out.key(friendly_name(standing.model)).string(validity_word(standing.validity));
  }
  out.close();
}

void write_run(DocumentWriter& out, const MatrixRun& run) {
  out.open(Container::kMap);
  out.key("database").string(run.database);
  out.key("workload").string(run.workload);
  out.key("folder").string(run.folder);
  if (run.problem.empty()) {
    write_standings(out, run.standings);
    if (run.own_levels) {
      out.key("by-transaction").string(validity_word(*run.own_levels));
    }
  } else {
    out.key("problem").string(run.problem);
  }
  out.key("anomalies").open(Container::kMap);
  for (const AnomalyCount& anomaly : run.anomalies) {
    out.key(anomaly.type).integer(anomaly.count);
  }
  out.close();
  if (run.is_counted) {
    write_rate(out, run);
  }
  write_number(out, "transactions", run.transactions);
  write_number(out, "committed", run.committed);
  write_number(out, "aborted", run.aborted);
  write_number(out, "indeterminate", run.indeterminate);
  out.key("seconds").form(fmt::format("{:.3f}", run.seconds));
  out.close();
}

std::string run_json(const MatrixRun& run) {
  DocumentWriter out(Syntax::kJson);
  write_run(out, run);
  return std::move(out).take();
}

Status take_run(std::string json, MatrixRun& run) {
  const std::unique_ptr<ByteSource> source = memory_source("a run", std::move(json));
  json::ValueStream stream(*source);
  if (!stream.next() || !stream.value().is_object()) {
    return Error{.kind = ErrorKind::kMalformed,
                 .message = "a run of the matrix did not say how it ended"};
  }
  const json::Value map = stream.value();
  run.database = text_field(map, "database");
  run.folder = text_field(map, "folder");
  run.problem = text_field(map, "problem");
  if (const auto levels = json::find(map, "levels")) {
    run.standings = standings_of(*levels);
  }
  if (const std::string own = text_field(map, "by-transaction"); !own.empty()) {
    run.own_levels = validity_of(own);
  }
  if (const auto anomalies = json::find(map, "anomalies")) {
    run.anomalies = anomalies_of(*anomalies);
  }
  run.is_counted = json::find(map, "per-thousand").has_value();
  run.transactions = number_field<std::uint64_t>(map, "transactions");
  run.committed = number_field<std::uint64_t>(map, "committed");
  run.aborted = number_field<std::uint64_t>(map, "aborted");
  run.indeterminate = number_field<std::uint64_t>(map, "indeterminate");
  run.seconds = number_field<double>(map, "seconds");
  return {};
}

}  // namespace elapid
