// fetch-and-add: single operations that add to a number, which starts at 0, and return the value
// before the add.
//
//   {:type :invoke, :f :fetch-and-add, :value [2 nil]}    {:type :ok, ..., :value [2 7]}
//
// Judged for linearizability (engine/linearize/types/fetch_and_add.h).
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/fetch_and_add.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kFetchAndAddType = {.name = "fetch-and-add",
                                           .has_transactions = false,
                                           .has_objects = true,
                                           .has_own_values = true};
constexpr std::string_view kName = "fetch-and-add";

__extension__ using Wide = __int128;

std::string_view recognise_fetch_and_add(const Clues& clues) {
  return clues.has_call(kName) ? "operations :fetch-and-add" : "";
}

/// Decodes the number added as an append, and the number before as a read.
std::string decode_fetch_and_add(const Call& call, DecodedCall& out) {
  if (call.f != kName) {
    decode_other(call, out);
    return {};
  }
  if (call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const auto pair = pair_of(call.value);
  const ValueId added = pair ? out.values.intern(pair->front()) : ValueId::nil();
  const ValueId shown = pair ? out.values.intern(pair->back()) : ValueId::nil();
  const bool is_number = out.values.as_integer(added).has_value();
  if (!is_number || (!shown.is_nil() && !out.values.as_integer(shown))) {
    return "expected an integer to add and the one before, or nil, as the :value of this "
           ":fetch-and-add, found " +
           std::string(call.value.value_or("nil"));
  }
  out.mops.push_back({.kind = OpKind::kAppend, .value = added});
  out.mops.push_back({.kind = OpKind::kRead, .value = shown});
  return {};
}

Result<Verdict> judge_fetch_and_add_objects(const History& history, const JudgeRequest& request,
                                            const LevelAnswer* claim) {
  const auto is_known = [](std::span<const Op> ops) {
    return ops.size() == 2 && ops.front().kind() == OpKind::kAppend &&
           ops.back().kind() == OpKind::kRead;
  };
  if (auto error = linearize::refuse_foreign(history, is_known, ":fetch-and-add")) {
    return *error;
  }
  Wide most = 0;  // the greatest magnitude that the object can reach
  const auto too_much = [&](TxnId txn) {
    const Wide added = *history.values().as_integer(history.ops(txn).front().value());
    most += added < 0 ? -added : added;
    return most > std::numeric_limits<std::int64_t>::max()
               ? std::optional(history.ops(txn).front().value())
               : std::nullopt;
  };
  if (auto error =
          linearize::refuse_value(history, too_much, "additions whose sum fits in 64 bits")) {
    return *error;
  }
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) -> std::optional<Operation> {
    if (history.status(txn) == TxnStatus::kAborted) {
      return std::nullopt;
    }
    const std::span<const Op> ops = history.ops(txn);
    const bool shows = history.committed(txn) && !ops.back().value().is_nil();
    return Operation{.argument = ops.front().value(),
                     .result = shows ? ops.back().value() : ValueId::none()};
  };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object,
                                linearize::judge_fetch_and_add(object.operations, history.values(),
                                                               linearize::work_of(request)));
  };
  type.replay = [&](const Object&) { return linearize::fetch_and_add_replay(history.values()); };
  type.core.model = [&](const Object&, auto) {
    return std::make_unique<linearize::FetchAndAddModel>(history.values());
  };
  return linearize::verdict_of_objects(history, request, type, claim);
}

}  // namespace

WorkloadRow fetch_and_add_row() {
  return object_row<judge_fetch_and_add_objects>(Workload(kFetchAndAddType),
                                                 recognise_fetch_and_add, decode_fetch_and_add);
}

}  // namespace elapid
