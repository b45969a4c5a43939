#include "adapter/cli/commands/run/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "adapter/elle/document_writer.h"
#include "engine/ir/with_commas.h"

namespace elapid {

namespace {

std::string fact(const std::vector<DatabaseFact>& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, &DatabaseFact::name);
  return found == facts.end() ? "" : found->value;
}

void add_count(DocumentWriter& out, std::string_view name, std::uint64_t count) {
  out.key(name).integer(count);
}

void add_counts(DocumentWriter& out, const DriveCounts& counts) {
  out.open(Container::kMap);
  add_count(out, "transactions", counts.transactions);
  add_count(out, "operations", counts.operations);
  add_count(out, "ok", counts.committed);
  add_count(out, "fail", counts.aborted);
  add_count(out, "info", counts.indeterminate);
  add_count(out, "retried", counts.retried);
  add_count(out, "reconnects", counts.reconnects);
  out.key("errors");
  out.open(Container::kMap);
  for (std::size_t error = 0; error < kTxnErrors; ++error) {
    if (counts.errors[error] > 0) {
      add_count(out, name(static_cast<TxnError>(error)), counts.errors[error]);
    }
  }
  out.close();
  out.key("milliseconds")
      .integer(std::chrono::duration_cast<std::chrono::milliseconds>(counts.seconds).count());
  out.close();
}

}  // namespace

std::string test_map(const RunRequest& request, const std::string& time,
                     const std::vector<DatabaseFact>& facts,
                     const std::optional<DriveCounts>& counts) {
  DocumentWriter out(Syntax::kEdn);
  out.open(Container::kMap, 1);
  out.key("name").string(request.name);
  out.key("start-time").string(time);
  out.key("elapid").string(ELAPID_VERSION);
  out.key("db").string(request.database.uri.text);
  if (request.isolation.is_one()) {
    out.key("isolation").keyword(request.database.level);
  } else {
    out.key("isolation").string(request.isolation.text());
  }
  out.key("consistency-models").string(request.levels);
  out.key("workload").string(request.workload->name);
  out.key("seed").form(std::to_string(request.recipe.clients.seed));
  out.key("concurrency").integer(request.drive.sessions);
  const WorkloadOptions& numbers = request.recipe.requests;
  const std::size_t keys = numbers.keys == 0 ? request.workload->keys : numbers.keys;
  add_count(out, "keys", keys);
  add_count(out, "max-writes-per-key", numbers.max_writes);
  add_count(out, "min-txn-length", numbers.min_length);
  add_count(out, "max-txn-length", numbers.max_length);
  add_count(out, "retries", request.drive.retries);
  if (!request.faults.empty()) {
    out.key("faults");
    out.each(request.faults, [&](const std::string& fault) { out.keyword(fault); });
    out.key("fault-interval-ms")
        .integer(
            std::chrono::duration_cast<std::chrono::milliseconds>(request.fault_interval).count());
  }
  out.key("facts");
  out.open(Container::kMap, 8);
  for (const DatabaseFact& one : facts) {
    out.string(one.name);
    out.string(one.value);
  }
  out.close();
  if (counts) {
    out.key("counts");
    add_counts(out, *counts);
  }
  out.close();
  return std::move(out).take() + "\n";
}

std::string counts_text(const DriveCounts& counts) {
  const double seconds = counts.seconds.count();
  std::string text = fmt::format(
      "{} transactions with {} operations in {:.2f} s ({} a second): {} committed, {} aborted, {} "
      "indeterminate; {} tried again",
      with_commas(counts.transactions), with_commas(counts.operations), seconds,
      with_commas(seconds > 0 ? static_cast<std::uint64_t>(
                                    static_cast<double>(counts.transactions) / seconds)
                              : 0),
      with_commas(counts.committed), with_commas(counts.aborted), with_commas(counts.indeterminate),
      with_commas(counts.retried));
  std::string_view separator = " (";
  for (std::size_t error = 0; error < kTxnErrors; ++error) {
    if (counts.errors[error] > 0) {
      text += fmt::format("{}{} {}", separator, name(static_cast<TxnError>(error)),
                          with_commas(counts.errors[error]));
      separator = ", ";
    }
  }
  return text + (separator == ", " ? ")\n" : "\n");
}

std::string database_name(const std::vector<DatabaseFact>& facts) {
  const std::string version = fact(facts, "version");
  return fact(facts, "database") + (version.empty() ? "" : " ") + version;
}

std::string run_text(const RunRequest& request, const std::vector<DatabaseFact>& facts) {
  const std::string database = database_name(facts);
  return fmt::format("{} on {} at {}, seed {}, {} {}", request.workload->name,
                     database.empty() ? std::string(request.driver->info().name) : database,
                     request.isolation.text(), request.recipe.clients.seed, request.drive.sessions,
                     request.drive.sessions == 1 ? "session" : "sessions");
}

}  // namespace elapid
