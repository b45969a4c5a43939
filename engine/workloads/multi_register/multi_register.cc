// multi-register: transactions that :read and :write several registers at one instant, as in
// Knossos.
//
//   {:type :ok, :f :txn, :value [[:read :x 1] [:write :y 2]]}
//
// Judged for linearizability, which for transactions is strict serializability
// (engine/linearize/types/multi_register.h). A read of nil may have seen any value. `--initial`
// sets the initial values; without it, reads determine them. The operations are those of
// rw-register: `-m rw-register` asks for its levels.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/multi_register.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/multi_register/single_register.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;
using linearize::RegisterCalls;
using linearize::RegisterStep;

constexpr WorkloadType kMultiRegisterType = {.name = "multi-register"};

/// The operations that count: reads that succeeded with a value, and writes that did not fail.
std::vector<RegisterStep> steps_of(const History& history, TxnId txn) {
  std::vector<RegisterStep> steps;
  for (const Op& op : history.ops(txn)) {
    if (op.is_write()) {
      steps.push_back({.key = op.key(), .value = op.value(), .is_write = true});
    } else if (history.committed(txn) && !op.value().is_nil()) {
      steps.push_back({.key = op.key(), .value = op.value()});
    }
  }
  return steps;
}

/// Groups of registers that a transaction uses together, directly or through others.
class Groups {
 public:
  explicit Groups(const History& history) : parent_(history.key_count()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history.ops(txn);
      for (const Op& op : ops) {
        parent_[first(op.key())] = first(ops.front().key());
      }
    }
  }

  /// The key that stands for the group.
  std::uint32_t first(KeyId key) {
    std::uint32_t at = key.value;
    while (parent_[at] != at) {
      at = parent_[at] = parent_[parent_[at]];
    }
    return at;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::optional<Operation> operation_of(const History& history, TxnId txn, RegisterCalls& calls) {
  if (history.status(txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  const std::vector<RegisterStep> steps = steps_of(history, txn);
  return steps.empty() ? std::nullopt : std::optional(Operation{.argument = calls.add(steps)});
}

bool has_registers_alone(std::span<const Op> ops) {
  return std::ranges::all_of(
      ops, [](const Op& op) { return op.kind() == OpKind::kRead || op.kind() == OpKind::kWrite; });
}

/// The initial values that the check assumes for registers without a given one.
ResultValue initial_entry(const History& history, const linearize::InitialValues& values) {
  ResultValue map = ResultValue::map({});
  for (const auto& [key, value] : values) {
    map.add(ResultValue::of(history.key_value({key})),
            value.is_none() ? ResultValue::keyword("any") : ResultValue::of(value));
  }
  return map;
}

Result<Verdict> judge_multi_register_objects(const History& history, const JudgeRequest& request,
                                             const LevelAnswer* claim) {
  if (auto error = linearize::refuse_foreign(history, has_registers_alone,
                                             ":read and :write of multi-register")) {
    return *error;
  }
  const std::optional<ValueId> initial =
      history.info().initial.is_nil() ? std::nullopt : std::optional(history.info().initial);
  RegisterCalls calls;
  Groups groups(history);
  linearize::InitialValues inferred;
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return operation_of(history, txn, calls); };
  type.object_of = [&](TxnId txn) { return KeyId{groups.first(history.ops(txn).front().key())}; };
  type.judge = [&](const Object& object) {
    linearize::InitialValues at_first =
        linearize::initial_values(object.operations, calls, initial);
    const std::optional<std::uint32_t> place = contradiction_in_one_register(
        object.operations, calls, at_first, linearize::work_of(request));
    inferred.merge(request.models == ModelSet{Model::kSequential}
                       ? linearize::initial_values(object.operations, calls, initial, false)
                       : std::move(at_first));
    if (place) {
      return linearize::answer_of(history, object,
                                  linearize::refuted(linearize::Pattern::kNoOrder, {*place}));
    }
    return linearize::answer_of(history, object,
                                linearize::judge_multi_register(
                                    object.operations, calls, initial, linearize::work_of(request),
                                    std::min(request.work_before, linearize::kDefaultWork)));
  };
  type.replay = [&](const Object&) { return linearize::multi_register_replay(calls, initial); };
  type.core.model = [&](const Object& object, auto) {
    return std::make_unique<linearize::MultiRegisterModel>(
        calls, linearize::initial_values(object.operations, calls, initial, false));
  };
  Result<Verdict> verdict = linearize::verdict_of_objects(history, request, type, claim);
  if (verdict && !initial) {
    verdict.value().entries.push_back({"initial", initial_entry(history, inferred)});
  }
  return verdict;
}

}  // namespace

WorkloadRow multi_register_row() {
  return object_row<judge_multi_register_objects>(
      Workload(kMultiRegisterType), [](const Clues&) { return std::string_view(); }, nullptr);
}

}  // namespace elapid
