// unique-ids: each single operation :generate returns an id.
//
//   {:type :ok, :f :generate, :value 7}
//
// All ids that were given must differ: then the history is linearizable
// (engine/linearize/types/fetch_and_add.h). The result has the keys of Jepsen's checker, too
// (id_counts.h).
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/fetch_and_add.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"
#include "engine/workloads/unique_ids/id_counts.h"

namespace elapid {

namespace {

using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kUniqueIdsType = {
    .name = "unique-ids", .has_transactions = false, .has_objects = true};

std::string_view recognise_unique_ids(const Clues& clues) {
  return clues.calls.size() == 1 && clues.has_call("generate") ? "operations :generate ids" : "";
}

/// Decodes an operation as a read of its id.
std::string decode_unique_ids(const Call& call, DecodedCall& out) {
  if (call.f != "generate") {
    decode_other(call, out);
    return {};
  }
  const bool shows = call.type == EventType::kOk && call.value.has_value();
  out.mops.push_back(
      {.kind = OpKind::kRead, .value = shows ? out.values.intern(*call.value) : ValueId::nil()});
  return {};
}

/// The verdict of Jepsen's checker, which throws if ids have no order.
Verdict jepsens_verdict(IdCounts counts) {
  Verdict verdict = {.engine = "unique-ids", .complete = true};
  verdict.assumptions.elle_compat = true;
  if (counts.problem) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because = "Jepsen's checker throws: " + *counts.problem;
    verdict.entries = {{"error", *verdict.unknown_because}};
    return verdict;
  }
  verdict.validity = counts.has_duplicates ? Validity::kInvalid : Validity::kValid;
  verdict.entries = std::move(counts.entries);
  return verdict;
}

Result<Verdict> judge_unique_ids_objects(const History& history, const JudgeRequest& request,
                                         const LevelAnswer* claim) {
  const auto is_known = [](std::span<const Op> ops) {
    return ops.size() == 1 && ops.front().kind() == OpKind::kRead;
  };
  if (auto error = linearize::refuse_foreign(history, is_known, ":generate of unique-ids")) {
    return *error;
  }
  const auto wrong = [&](TxnId txn) {
    const bool shows_none = history.committed(txn) && history.ops(txn).front().value().is_nil();
    return shows_none ? std::optional(ValueId::nil()) : std::nullopt;
  };
  if (auto error = linearize::refuse_value(history, wrong, "an id as the :value of this :generate");
      error && !request.elle_compat) {
    return *error;
  }
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) {
    return history.committed(txn)
               ? std::optional(Operation{.result = history.ops(txn).front().value()})
               : std::nullopt;
  };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object, linearize::judge_unique_ids(object.operations));
  };
  type.replay = [](const Object&) { return linearize::unique_ids_replay(); };
  type.core = {
      .model = [](const Object&, auto) { return std::make_unique<linearize::UniqueIdsModel>(); },
      .values_of = [](const Operation& operation) { return std::vector{operation.result}; }};
  IdCounts counts = count_ids(history);
  if (request.elle_compat) {
    return jepsens_verdict(std::move(counts));
  }
  Result<Verdict> verdict = linearize::verdict_of_objects(history, request, type, claim);
  if (verdict) {
    std::ranges::move(verdict.value().entries, std::back_inserter(counts.entries));
    verdict.value().entries = std::move(counts.entries);
  }
  return verdict;
}

}  // namespace

WorkloadRow unique_ids_row() {
  return object_row<judge_unique_ids_objects>(Workload(kUniqueIdsType), recognise_unique_ids,
                                              decode_unique_ids);
}

}  // namespace elapid
