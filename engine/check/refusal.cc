#include "engine/check/refusal.h"

#include <string>

#include "engine/check/question.h"
#include "engine/check/rows_check.h"
#include "engine/check/timestamp_answer.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

/// Of workloads without levels there is one question.
std::optional<Error> refuse_more(const WorkloadRow& row, const CheckOptions& options) {
  const ModelSet others = options.models & ~row.models;
  if ((!others.any() && !options.anomalies.any()) || options.assumptions.elle_compat) {
    return std::nullopt;
  }
  const std::string workload = "workload " + std::string(row.workload.name());
  if (row.models.none()) {
    return usage_error(workload + " has no isolation levels or anomalies to ask for");
  }
  std::string known;
  for (const Model model : row.models) {
    known += (known.empty() ? "" : ", ") + std::string(friendly_name(model));
  }
  return usage_error(workload + " has no anomalies, and no other levels than " + known);
}

}  // namespace

std::optional<Error> refusal(const History& history, const CheckOptions& options) {
  if (history.workload() == Workload::kRows && !options.assumptions.elle_compat) {
    return refuse_rows(options);
  }
  const WorkloadRow& row = row_of(history.workload());
  if (row.judge != nullptr) {
    return refuse_more(row, options);
  }
  return options.engine == Engine::kTimestamps ? refuse_timestamps(history, options)
                                               : refuse(history, options);
}

}  // namespace elapid
