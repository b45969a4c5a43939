// counter: single operations :add a number to one counter, and :read shows the sum.
//
//   {:type :ok, :f :add, :value 2}   {:type :ok, :f :read, :value 2}
//
// The counter is 0 at first. There are three claims:
//   - by default, each read lies between the certain adds and the possible adds
//     (counter_bounds.h), as in Jepsen's checker of this name;
//   - if some read is marked :final? true, final reads show the sum of all adds (final_sum.h), as
//     in Maelstrom's checkers of g-counter and pn-counter;
//   - if linearizability or sequential consistency is demanded, the operations have such an order
//     (engine/linearize/types/counter.h).
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/counter.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/counter/counter_bounds.h"
#include "engine/workloads/counter/final_sum.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

using linearize::CounterF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr std::array kCounterFields = {kFinalField};
constexpr WorkloadType kCounterType = {.name = "counter",
                                       .has_transactions = false,
                                       .has_objects = true,
                                       .has_own_values = true,
                                       .fields = kCounterFields};

/// Sets have adds, too, but their reads show collections.
std::string_view recognise_counter(const Clues& clues) {
  const CallClue read = clues.call("read");
  return clues.has_only({"add", "read"}) && clues.has_call("add") && read.has_scalar &&
                 !read.has_collection
             ? "numbers are added, and a :read shows a number"
             : "";
}

/// Decodes an add as an append of the number that was invoked. For Jepsen a success with another
/// one has that behind it, which is what was added.
std::string decode_counter(const Call& call, DecodedCall& out) {
  if (call.f != "add" && call.f != "read") {
    decode_other(call, out);
    return {};
  }
  const bool is_add = call.f == "add";
  if (is_add && call.type != EventType::kInvoke && !call.invoked.empty()) {
    out.mops.assign(call.invoked);
    if (call.is_for_jepsen && call.type == EventType::kOk) {
      add_told(call, OpKind::kAppend, out);
    }
    return {};
  }
  const bool shows = call.value.has_value() && (is_add || call.type == EventType::kOk);
  const ValueId value = shows ? out.values.intern(*call.value) : ValueId::nil();
  if ((is_add || shows) && !out.values.as_integer(value)) {
    return "expected an integer of 64 bits as the :value of this :" + std::string(call.f) +
           ", found " + std::string(call.value.value_or("nil"));
  }
  out.mops.push_back({.kind = is_add ? OpKind::kAppend : OpKind::kRead, .value = value});
  if (!is_add && call.field(kFinalField) == "true") {
    out.mops.push_back({.kind = OpKind::kOther, .value = out.values.intern(kFinalField)});
  }
  return {};
}

bool is_counter_operation(std::span<const Op> ops) {
  return (ops.size() == 1 || ops.size() == 2) &&
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

/// Judges the claim if no model is requested.
Result<Verdict> judge_claim(const History& history, const JudgeRequest& request) {
  const bool is_final = has_final_reads(history);
  Result<Verdict> judged = is_final ? Result<Verdict>(judge_final_sum(history, request))
                                    : judge_counter_bounds(history, false);
  if (judged) {
    std::vector<ResultEntry>& entries = judged.value().entries;
    entries.push_back(
        {"elapid/claim", is_final
                             ? "final reads show the sum of all adds"
                             : "each read lies between the sums of certain and of possible adds"});
    entries.push_back(
        {"elapid/not-asked", ResultValue::vector({ResultValue::keyword("linearizable"),
                                                  ResultValue::keyword("sequential")})});
  }
  return judged;
}

/// Judges whether the operations have an order.
Result<Verdict> judge_counter_objects(const History& history, const JudgeRequest& request,
                                      const LevelAnswer* claim) {
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return operation_of(history, txn); };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(
        history, object,
        linearize::judge_counter(object.operations, history.values(), linearize::work_of(request)));
  };
  type.replay = [&](const Object&) { return linearize::counter_replay(history.values()); };
  type.core.model = [&](const Object& object, auto) {
    return std::make_unique<linearize::CounterModel>(object.operations, history.values());
  };
  return linearize::verdict_of_objects(history, request, type, claim);
}

Result<Verdict> judge(const History& history, const JudgeRequest& request) {
  if (auto error =
          linearize::refuse_foreign(history, is_counter_operation, ":add and :read of counter")) {
    return *error;
  }
  if (request.elle_compat) {
    return judge_counter_bounds(history, true);
  }
  return request.models.any() ? judge_counter_objects(history, request, nullptr)
                              : judge_claim(history, request);
}

/// Bounds are the claim until a read is final. Later adds change no bound of a read that has
/// completed; those that were never invoked may.
bool claim_lasts(const History& beginning) {
  for (TxnId txn{0}; txn.index() < beginning.txn_count(); ++txn.value) {
    if (beginning.has_completion(txn) && !beginning.has_invocation(txn)) {
      return false;
    }
  }
  return !has_final_reads(beginning);
}

}  // namespace

/// A final read has a second operation, of kind kOther, with the value `:final?`.
WorkloadRow counter_row() {
  return {.workload = Workload(kCounterType),
          .recognise = recognise_counter,
          .decode = decode_counter,
          .judge = judge,
          .judge_objects = judge_counter_objects,
          .models = linearize::object_models(),
          .has_own_claim = true,
          .claim_lasts = claim_lasts};
}

}  // namespace elapid
