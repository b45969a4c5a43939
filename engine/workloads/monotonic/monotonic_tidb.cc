#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/monotonic/increments.h"

namespace elapid {

namespace {

using monotonic::CycleStep;
using monotonic::IncrementCycles;

constexpr WorkloadType kTidbType = {.name = "monotonic-tidb",
                                    .has_transactions = false,
                                    .has_objects = true,
                                    .has_own_values = true};

constexpr std::size_t kMostCycles = 100;

/// FaunaDB's :inc has nil in its invocation.
std::string_view recognise_tidb(const Clues& clues) {
  return clues.call("inc").has_scalar ? "operations :inc a key" : "";
}

bool is_number(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  return !text.empty() && text.size() <= 18 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Decodes reads of each key and its value in turn; two reads of nil if nothing is shown.
std::string decode_tidb(const Call& call, DecodedCall& out) {
  if (call.f != "inc" && call.f != "read") {
    decode_other(call, out);
    return {};
  }
  const auto entries =
      call.value && call.value->starts_with('{') ? elements_of(*call.value) : std::nullopt;
  if (call.type != EventType::kOk || !call.value) {
    const std::size_t count = std::max<std::size_t>(2, entries ? entries->size() : 0);
    for (std::size_t i = 0; i < count; ++i) {
      out.mops.push_back({.kind = OpKind::kRead});
    }
    return {};
  }
  bool is_known = entries.has_value();
  for (std::size_t i = 1; is_known && i < entries->size(); i += 2) {
    is_known = is_number((*entries)[i]);
  }
  if (!is_known) {
    return "expected keys and integers, as {k v}, as the :value of this :" + std::string(call.f) +
           ", found " + std::string(*call.value);
  }
  for (const std::string_view entry : *entries) {
    out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(entry)});
  }
  return {};
}

Description describe(const History& history, const std::vector<CycleStep>& cycle) {
  Description description = {.name = "monotonic-cycle",
                             .gloss = "operations precede one another in a cycle"};
  for (const CycleStep& step : cycle) {
    description.actors.push_back({.event = representative_ref(history, step.from)});
  }
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const CycleStep& step = cycle[i];
    const ActorPart from{i};
    const ActorPart to{(i + 1) % cycle.size()};
    const std::string start = i + 1 == cycle.size() ? "However, " : "";
    const std::string end = i + 1 == cycle.size() ? ": a cycle!" : ".";
    description.claims.push_back(
        {.says =
             step.key.is_none()
                 ? phrase(start + "{} ended before {} began" + end, from, to)
                 : phrase(start + "{} saw key {} at {}, and {} saw it at {}, which is later" + end,
                          from, ValuePart{step.key}, ValuePart{step.before}, to,
                          ValuePart{step.after})});
  }
  return description;
}

ResultValue operations_of(const History& history, const std::vector<CycleStep>& cycle) {
  std::vector<ResultValue> operations;
  for (const CycleStep& step : cycle) {
    operations.push_back(ResultValue::event(representative_ref(history, step.from)));
  }
  return ResultValue::vector(std::move(operations));
}

Result<Verdict> judge_tidb(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":inc and :read")) {
    return *error;
  }
  Verdict verdict = {.engine = "monotonic-tidb"};
  verdict.assumptions.elle_compat = request.elle_compat;
  const IncrementCycles found = monotonic::find_increment_cycles(history, kMostCycles);
  std::vector<ResultValue> cycles;
  for (const std::vector<CycleStep>& cycle : found.cycles) {
    verdict.findings.push_back(describe(history, cycle));
    cycles.push_back(operations_of(history, cycle));
  }
  conclude(verdict, !cycles.empty(), !found.shows_something && !request.elle_compat,
           "no operation shows a value");
  verdict.entries = {{"scc-count", static_cast<std::int64_t>(found.component_count)},
                     {"cycles", ResultValue::vector(std::move(cycles))}};
  return verdict;
}

}  // namespace

/// The judgement is O(n log n) in operations and keys read, and each cycle that it shows.
WorkloadRow monotonic_tidb_row() {
  return {.workload = Workload(kTidbType),
          .recognise = recognise_tidb,
          .decode = decode_tidb,
          .judge = judge_tidb,
          .claim_lasts = [](const History&) { return true; }};
}

}  // namespace elapid
