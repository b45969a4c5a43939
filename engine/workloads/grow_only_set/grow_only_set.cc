#include "engine/workloads/grow_only_set/grow_only_set.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"

namespace elapid {

namespace {

using linearize::GrowOnlySetF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;
using linearize::WholeReads;

constexpr WorkloadType kGrowOnlySetType = {
    .name = "grow-only-set", .has_transactions = false, .has_objects = true};

/// An add is an append, and a read shows a list; its order means nothing.
std::string decode_set(const Call& call, DecodedCall& out) {
  if (call.f == "add") {
    decode_change(call, OpKind::kAppend, out);
    return {};
  }
  const std::optional<std::string_view> answer = answer_of_read(call, out);
  if (!answer) {
    return {};
  }
  const auto elements = elements_of(*answer);
  if (!elements) {
    return "expected the elements of the set as the :value of this :read, found " +
           std::string(*answer);
  }
  decode_elements(*elements, out);
  return {};
}

bool is_set_operation(std::span<const Op> ops) {
  return ops.size() == 1 && ops.front().kind() != OpKind::kOther;
}

std::optional<Operation> operation_of(const History& history, TxnId txn) {
  const Op op = history.ops(txn).front();
  if (history.status(txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  if (op.kind() == OpKind::kAppend) {
    return Operation{.f = static_cast<std::uint8_t>(GrowOnlySetF::kAdd), .argument = op.value()};
  }
  const bool shows = history.committed(txn) && op.kind() == OpKind::kReadList;
  return shows ? std::optional(Operation{.f = static_cast<std::uint8_t>(GrowOnlySetF::kRead)})
               : std::nullopt;
}

/// What each operation read, each element once.
WholeReads reads_of(const History& history, const Object& object) {
  WholeReads reads;
  std::vector<ValueId> elements;
  for (const Operation& operation : object.operations) {
    const Op op = history.ops(operation.txn).front();
    elements.clear();
    if (op.kind() == OpKind::kReadList) {
      const std::span<const ValueId> shown = history.elements(op);
      elements.assign(shown.begin(), shown.end());
      std::ranges::sort(elements);
      const auto rest = std::ranges::unique(elements);
      elements.erase(rest.begin(), rest.end());
    }
    reads.add(elements);
  }
  return reads;
}

Result<Verdict> judge(const History& history, const JudgeRequest& request) {
  if (auto error =
          linearize::refuse_foreign(history, is_set_operation, ":add and :read of grow-only-set")) {
    return *error;
  }
  WholeReads reads;  // of the object that was judged last, whose order is verified next
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return operation_of(history, txn); };
  type.judge = [&](const Object& object) {
    reads = reads_of(history, object);
    return linearize::answer_of(history, object,
                                linearize::judge_grow_only_set(object.operations, reads));
  };
  type.replay = [&] { return linearize::grow_only_set_replay(reads); };
  return linearize::verdict_of_objects(history, request, type);
}

}  // namespace

WorkloadRow grow_only_set_row() {
  return {.workload = Workload(kGrowOnlySetType),
          .recognise = [](const Clues&) -> std::string_view { return ""; },
          .decode = decode_set,
          .judge = judge,
          .models = linearize::object_models()};
}

}  // namespace elapid
