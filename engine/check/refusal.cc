#include "engine/check/refusal.h"

#include <string>

#include "engine/check/engines.h"
#include "engine/check/question.h"
#include "engine/check/rows_check.h"
#include "engine/workloads/object_claims.h"

namespace elapid {

namespace {

bool asks_more(const WorkloadRow& row, const CheckOptions& options) {
  const bool is_more = (options.models & ~row.models).any() || options.anomalies.any();
  return is_more && !options.assumptions.elle_compat;
}

/// The workloads of single operations that have these models, as a part of a sentence; empty if
/// there are none.
std::string who_has(ModelSet models) {
  std::string names;
  for (const WorkloadRow& row : workload_rows()) {
    if (row.judge != nullptr && models.any() && (models & ~row.models).none()) {
      names += (names.empty() ? "; these workloads have such levels: " : ", ") +
               std::string(row.workload.name());
    }
  }
  return names;
}

/// The levels of operations imply the other assumptions: each is of a total order, which keeps
/// sessions.
std::optional<Error> refuse_assumptions(const WorkloadRow& row, const CheckOptions& options) {
  const bool implies_keys =
      options.models != ModelSet{Model::kSequential} || !has_register_transactions(row.workload);
  if (options.assumptions.elle_compat || has_own_rules(row, options)) {
    return std::nullopt;
  }
  if (!options.assumptions.transaction_order.empty()) {
    return usage_error("workload " + std::string(row.workload.name()) +
                       ": levels of operations take no order of transactions");
  }
  if (options.assumptions.linearizable_keys && !implies_keys) {
    return usage_error("workload " + std::string(row.workload.name()) +
                       ", sequential: " + std::string(options.words.linearizable_keys) +
                       " is not checked beside it; strong-serializable implies both");
  }
  return std::nullopt;
}

/// Workloads without levels of transactions answer few questions.
std::optional<Error> refuse_more(const WorkloadRow& row, const CheckOptions& options) {
  if (!asks_more(row, options)) {
    return refuse_assumptions(row, options);
  }
  const std::string workload = "workload " + std::string(row.workload.name());
  if (row.models.none()) {
    return usage_error(workload + " has no isolation levels or anomalies to ask for" +
                       who_has(options.models));
  }
  std::string known;
  for (const Model model : row.models) {
    known += (known.empty() ? "" : ", ") + std::string(friendly_name(model));
  }
  return usage_error(workload + " has no anomalies, and no other levels than " + known);
}

}  // namespace

bool is_judged(const WorkloadRow& row, const CheckOptions& options) {
  return row.judge != nullptr && (row.infer == nullptr || !asks_more(row, options));
}

bool has_own_rules(const WorkloadRow& row, const CheckOptions& options) {
  return row.models.none() || (row.has_own_claim && options.models.none());
}

std::optional<Error> refusal(const History& history, const CheckOptions& options) {
  if (history.workload() == Workload::kRows && !options.assumptions.elle_compat) {
    return refuse_rows(options);
  }
  const WorkloadRow& row = row_of(history.workload());
  if (is_judged(row, options)) {
    return refuse_more(row, options);
  }
  return options.engine == Engine::kTimestamps ? refuse_timestamps(history, options)
                                               : refuse(history, options);
}

}  // namespace elapid
