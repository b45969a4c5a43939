// Queues, bags, stacks and priority queues: single operations add a value to one of them, or remove
// one.
//
//   {:type :ok, :f :enqueue, :value 1}   {:type :ok, :f :dequeue, :value 1}
//   {:type :ok, :f :dequeue, :value :empty}
//
// Adds are :enqueue, :add, :push, :insert or :offer; removes are :dequeue, :remove, :pop, :poll or
// :take. A remove that is :ok with nil, :empty or "empty" found nothing, unless that value is added
// somewhere. A failed remove shows nothing.
//
// - fifo-queue: a remove takes the value that was added first;
// - unordered-queue: any value;
// - stack: the value that was added last;
// - priority-queue: the greatest integer.
//
// Each is judged for linearizability: engine/linearize/types. A history of :enqueue and :dequeue
// alone does not tell whether the queue keeps the order, so the user says it.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/ir/empty_values.h"
#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/fifo_queue.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/priority_queue.h"
#include "engine/linearize/types/replays.h"
#include "engine/linearize/types/stack.h"
#include "engine/linearize/types/unordered_queue.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::ContainerF;
using linearize::Judgement;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kFifoQueueType = {
    .name = "fifo-queue", .has_transactions = false, .has_objects = true};
constexpr WorkloadType kUnorderedQueueType = {
    .name = "unordered-queue", .has_transactions = false, .has_objects = true};
constexpr WorkloadType kStackType = {
    .name = "stack", .has_transactions = false, .has_objects = true};
constexpr WorkloadType kPriorityQueueType = {
    .name = "priority-queue", .has_transactions = false, .has_objects = true};

constexpr std::array<std::string_view, 5> kAdds = {"enqueue", "add", "push", "insert", "offer"};
constexpr std::array<std::string_view, 5> kRemoves = {"dequeue", "remove", "pop", "poll", "take"};

bool is_one_of(std::string_view f, std::span<const std::string_view> names) {
  return std::ranges::find(names, f) != names.end();
}

/// Decodes an add as an append, and a remove as a read of the value taken.
std::string decode_containers(const Call& call, DecodedCall& out) {
  if (is_one_of(call.f, kAdds)) {
    decode_change(call, OpKind::kAppend, out);
  } else if (is_one_of(call.f, kRemoves)) {
    const bool shows = call.value && call.type == EventType::kOk;
    out.mops.push_back(
        {.kind = OpKind::kRead, .value = shows ? out.values.intern(*call.value) : ValueId::nil()});
  } else {
    decode_other(call, out);
  }
  return {};
}

bool is_container_operation(std::span<const Op> ops) {
  return ops.size() == 1 &&
         (ops.front().kind() == OpKind::kAppend || ops.front().kind() == OpKind::kRead);
}

/// The meaning of values. Engines use nil for "found nothing".
class Meaning {
 public:
  explicit Meaning(const History& history)
      : history_(history),
        empty_(history),
        adds_nil_(std::ranges::any_of(history.all_ops(), [](const Op& op) {
          return op.kind() == OpKind::kAppend && op.value().is_nil();
        })) {}

  [[nodiscard]] std::optional<Operation> operation_of(TxnId txn) const {
    const Op op = history_.ops(txn).front();
    if (history_.status(txn) == TxnStatus::kAborted) {
      return std::nullopt;
    }
    if (op.kind() == OpKind::kAppend) {
      return Operation{.f = static_cast<std::uint8_t>(ContainerF::kAdd),
                       .argument = token_of(op.value())};
    }
    Operation remove = {.f = static_cast<std::uint8_t>(ContainerF::kRemove)};
    if (history_.committed(txn)) {
      remove.result = empty_.contains(op.value()) ? ValueId::nil() : token_of(op.value());
    }
    return remove;
  }

 private:
  /// If nil is added, it is a value. A token that the history does not have stands for it.
  [[nodiscard]] ValueId token_of(ValueId value) const {
    return adds_nil_ && value.is_nil()
               ? ValueId::interned(static_cast<std::uint32_t>(history_.values().size()))
               : value;
  }

  const History& history_;
  EmptyValues empty_;
  bool adds_nil_;
};

using JudgeContainer = std::function<Judgement(const Object&)>;
using MakeReplay = std::function<std::unique_ptr<linearize::Replay>()>;
using MakeModel = std::function<std::unique_ptr<linearize::Model>(const Object&)>;

template <class Model>
std::unique_ptr<linearize::Model> model_of(const Object&) {
  return std::make_unique<Model>();
}

/// The operation's value; empty for removes that found nothing, or whose result is unknown: these
/// stay.
std::optional<std::vector<ValueId>> container_values(const Operation& operation) {
  const ValueId value = linearize::is_add(operation) ? operation.argument : operation.result;
  const bool is_known = !value.is_none() && !linearize::is_empty_remove(operation);
  return is_known ? std::vector{value} : std::vector<ValueId>();
}

Result<Verdict> judge(const History& history, const JudgeRequest& request, const LevelAnswer* claim,
                      std::string_view name, const JudgeContainer& judge_one,
                      const MakeReplay& replay, const MakeModel& model) {
  if (auto error = linearize::refuse_foreign(
          history, is_container_operation, "that add or remove a value of " + std::string(name))) {
    return *error;
  }
  const Meaning meaning(history);
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return meaning.operation_of(txn); };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object, judge_one(object));
  };
  type.replay = [&](const Object&) { return replay(); };
  type.core = {.model = [&](const Object& object, auto) { return model(object); },
               .values_of = container_values};
  return linearize::verdict_of_objects(history, request, type, claim);
}

Result<Verdict> judge_as_fifo(const History& history, const JudgeRequest& request,
                              const LevelAnswer* claim) {
  return judge(
      history, request, claim, kFifoQueueType.name,
      [&](const Object& object) {
        return linearize::judge_fifo_queue(object.operations, linearize::work_of(request));
      },
      linearize::fifo_queue_replay, model_of<linearize::FifoQueueModel>);
}

Result<Verdict> judge_as_bag(const History& history, const JudgeRequest& request,
                             const LevelAnswer* claim) {
  return judge(
      history, request, claim, kUnorderedQueueType.name,
      [&](const Object& object) {
        return linearize::judge_unordered_queue(object.operations, linearize::work_of(request));
      },
      linearize::unordered_queue_replay, model_of<linearize::UnorderedQueueModel>);
}

Result<Verdict> judge_as_stack(const History& history, const JudgeRequest& request,
                               const LevelAnswer* claim) {
  return judge(
      history, request, claim, kStackType.name,
      [&](const Object& object) {
        return linearize::judge_stack(object.operations, linearize::work_of(request));
      },
      linearize::stack_replay, model_of<linearize::StackModel>);
}

Result<Verdict> judge_as_priority_queue(const History& history, const JudgeRequest& request,
                                        const LevelAnswer* claim) {
  const ValuePool& values = history.values();
  const EmptyValues empty(history);
  const auto wrong = [&](TxnId txn) -> std::optional<ValueId> {
    for (const Op op : history.ops(txn)) {
      const bool is_nothing =
          op.kind() == OpKind::kRead && (op.value().is_nil() || empty.contains(op.value()));
      if (op.kind() != OpKind::kOther && !is_nothing && !values.as_integer(op.value())) {
        return op.value();
      }
    }
    return std::nullopt;
  };
  if (auto error = linearize::refuse_value(history, wrong,
                                           "integers of 64 bits as the values of priority-queue")) {
    return *error;
  }
  constexpr auto kFirst = linearize::GoesFirst::kGreatest;
  return judge(
      history, request, claim, kPriorityQueueType.name,
      [&](const Object& object) {
        return linearize::judge_priority_queue(object.operations, kFirst, values,
                                               linearize::work_of(request));
      },
      [&] { return linearize::priority_queue_replay(kFirst, values); },
      [&](const Object& object) {
        return std::make_unique<linearize::PriorityQueueModel>(object.operations, kFirst, values);
      });
}

/// Whether all calls have one of the two functions, and each occurs.
bool has_both(const Clues& clues, std::string_view add, std::string_view remove) {
  return clues.has_only({add, remove}) && clues.calls.size() == 2;
}

constexpr Recognise kNotRecognised = [](const Clues&) -> std::string_view { return ""; };

}  // namespace

WorkloadRow fifo_queue_row() {
  return object_row<judge_as_fifo>(Workload(kFifoQueueType), kNotRecognised, decode_containers);
}

WorkloadRow unordered_queue_row() {
  return object_row<judge_as_bag>(Workload(kUnorderedQueueType), kNotRecognised, decode_containers);
}

WorkloadRow stack_row() {
  return object_row<judge_as_stack>(
      Workload(kStackType),
      [](const Clues& clues) -> std::string_view {
        return has_both(clues, "push", "pop") ? "operations :push and :pop a value" : "";
      },
      decode_containers);
}

WorkloadRow priority_queue_row() {
  return object_row<judge_as_priority_queue>(
      Workload(kPriorityQueueType),
      [](const Clues& clues) -> std::string_view {
        return has_both(clues, "insert", "poll") ? "operations :insert and :poll a value" : "";
      },
      decode_containers);
}

}  // namespace elapid
