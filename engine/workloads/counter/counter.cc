#include "engine/workloads/counter/counter.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/counter.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/counter/jepsen_counter.h"
#include "engine/workloads/other_call.h"

namespace elapid {

namespace {

using linearize::CounterF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kCounterType = {
    .name = "counter", .has_transactions = false, .has_objects = true};

/// A set adds, too, but reads collections.
std::string_view recognise(const Clues& clues) {
  const bool has_others = clues.has_append || clues.has_list || clues.has_write || clues.has_read ||
                          clues.has_other || std::ranges::any_of(clues.calls, [](const auto& call) {
                            return call.first != "add" && call.first != "read";
                          });
  const CallClue read = clues.call("read");
  return !has_others && clues.has_call("add") && read.has_scalar && !read.has_collection
             ? "numbers are added, and a :read shows a number"
             : "";
}

/// An add is an append of its number.
std::string decode(const Call& call, DecodedCall& out) {
  if (call.f != "add" && call.f != "read") {
    decode_other(call, out);
    return {};
  }
  const bool is_add = call.f == "add";
  if (is_add && call.type != EventType::kInvoke && !call.invoked.empty()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const bool shows = call.value.has_value() && (is_add || call.type == EventType::kOk);
  const ValueId value = shows ? out.values.intern(*call.value) : ValueId::nil();
  if ((is_add || shows) && !out.values.as_integer(value)) {
    return "expected a number as the :value of this :" + std::string(call.f) + ", found " +
           std::string(call.value.value_or("nil"));
  }
  out.mops.push_back({.kind = is_add ? OpKind::kAppend : OpKind::kRead, .value = value});
  return {};
}

bool is_counter_operation(std::span<const Op> ops) {
  return ops.size() == 1 &&
         (ops.front().kind() == OpKind::kAppend || ops.front().kind() == OpKind::kRead);
}

std::optional<Operation> operation_of(const History& history, TxnId txn) {
  const Op op = history.ops(txn).front();
  if (history.status(txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  if (op.kind() == OpKind::kAppend) {
    return Operation{.f = static_cast<std::uint8_t>(CounterF::kAdd), .argument = op.value()};
  }
  if (!history.committed(txn) || op.value().is_nil()) {
    return std::nullopt;
  }
  return Operation{.f = static_cast<std::uint8_t>(CounterF::kRead), .result = op.value()};
}

Result<Verdict> judge(const History& history, const JudgeRequest& request) {
  if (auto error =
          linearize::refuse_foreign(history, is_counter_operation, ":add and :read of counter")) {
    return *error;
  }
  if (request.elle_compat) {
    return judge_as_jepsen(history);
  }
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return operation_of(history, txn); };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(
        history, object,
        linearize::judge_counter(object.operations, history.values(), linearize::work_of(request)));
  };
  type.replay = [&] { return linearize::counter_replay(history.values()); };
  return linearize::verdict_of_objects(history, request, type);
}

}  // namespace

WorkloadRow counter_row() {
  return {.workload = Workload(kCounterType),
          .recognise = recognise,
          .decode = decode,
          .judge = judge,
          .models = linearize::object_models()};
}

}  // namespace elapid
