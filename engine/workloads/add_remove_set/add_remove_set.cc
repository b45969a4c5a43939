// add-remove-set: single operations :add or :remove an element, or ask whether the set :contains
// it.
//
//   {:type :ok, :f :add, :value [1 true]}   {:type :ok, :f :contains, :value [1 true]}
//
// A value is an element and a result: whether the operation changed the set, or found the element.
// A nil result is unknown. Each element is judged for linearizability by itself
// (engine/linearize/types/add_remove_set.h).
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/add_remove_set.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;
using linearize::SetF;

constexpr WorkloadType kAddRemoveSetType = {.name = "add-remove-set",
                                            .has_transactions = false,
                                            .has_objects = true,
                                            .has_own_values = true};

constexpr std::array<std::string_view, 3> kNames = {":add", ":remove", ":contains"};

std::string_view recognise_add_remove_set(const Clues& clues) {
  return !clues.has_mops() && clues.call("contains").has_collection && clues.has_call("add")
             ? "elements are added, and :contains asks for one"
             : "";
}

/// Decodes the name, the element as a write, and the result as a read.
std::string decode_add_remove_set(const Call& call, DecodedCall& out) {
  if (call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const std::string name = ':' + std::string(call.f);
  out.mops.push_back({.kind = OpKind::kOther, .value = out.values.intern(name)});
  if (std::ranges::find(kNames, name) == kNames.end()) {
    return {};
  }
  const auto pair = pair_of(call.value);
  const auto is_result = [](std::string_view text) {
    return text == "nil" || text == "true" || text == "false";
  };
  if (!pair || !is_result(pair->back())) {
    return "expected an element and true, false or nil as the :value of this " + name + ", found " +
           std::string(call.value.value_or("nil"));
  }
  out.mops.push_back({.kind = OpKind::kWrite, .value = out.values.intern(pair->front())});
  out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(pair->back())});
  return {};
}

Result<Verdict> judge_add_remove_set_objects(const History& history, const JudgeRequest& request,
                                             const LevelAnswer* claim) {
  const auto is_known = [](std::span<const Op> ops) { return ops.size() == 3; };
  if (auto error = linearize::refuse_foreign(history, is_known,
                                             ":add, :remove and :contains of add-remove-set")) {
    return *error;
  }
  const ValueId add = history.values().find(kNames[0]);
  const ValueId remove = history.values().find(kNames[1]);
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) -> std::optional<Operation> {
    const std::span<const Op> ops = history.ops(txn);
    const ValueId name = ops[0].value();
    const SetF f = name == add ? SetF::kAdd : name == remove ? SetF::kRemove : SetF::kContains;
    if (history.status(txn) == TxnStatus::kAborted ||
        (f == SetF::kContains && !history.committed(txn))) {
      return std::nullopt;
    }
    const bool shows = history.committed(txn) && !ops[2].value().is_nil();
    return Operation{.f = static_cast<std::uint8_t>(f),
                     .argument = ops[1].value(),
                     .result = shows ? ops[2].value() : ValueId::none()};
  };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(
        history, object,
        linearize::judge_add_remove_set(object.operations, linearize::work_of(request)));
  };
  type.replay = [](const Object&) { return linearize::add_remove_set_replay(); };
  type.core = {
      .model = [](const Object&, auto) { return std::make_unique<linearize::AddRemoveModel>(); },
      .values_of = [](const Operation& operation) { return std::vector{operation.argument}; }};
  return linearize::verdict_of_objects(history, request, type, claim);
}

}  // namespace

WorkloadRow add_remove_set_row() {
  return object_row<judge_add_remove_set_objects>(Workload(kAddRemoveSetType),
                                                  recognise_add_remove_set, decode_add_remove_set);
}

}  // namespace elapid
