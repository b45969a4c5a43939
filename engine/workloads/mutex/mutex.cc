#include "engine/workloads/mutex/mutex.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/other_call.h"

namespace elapid {

namespace {

using linearize::LockF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kMutexType = {
    .name = "mutex", .has_transactions = false, .has_objects = true};

std::string_view recognise(const Clues& clues) {
  const bool has_mops =
      clues.has_append || clues.has_list || clues.has_write || clues.has_read || clues.has_other;
  return !has_mops && clues.has_call("acquire") &&
                 std::ranges::all_of(clues.calls,
                                     [](const auto& call) {
                                       return call.first == "acquire" || call.first == "release";
                                     })
             ? "operations :acquire and :release a lock"
             : "";
}

/// By name, since an operation has nothing else.
std::string decode(const Call& call, DecodedCall& out) {
  decode_other(call, out);
  return {};
}

Result<Verdict> judge(const History& history, const JudgeRequest& request) {
  const ValueId acquire = history.values().find(":acquire");
  const ValueId release = history.values().find(":release");
  const auto is_known = [&](std::span<const Op> ops) {
    return ops.size() == 1 && ops.front().kind() == OpKind::kOther &&
           (ops.front().value() == acquire || ops.front().value() == release);
  };
  if (auto error = linearize::refuse_foreign(history, is_known, ":acquire and :release of mutex")) {
    return *error;
  }
  const linearize::LockRules rules = {.kind = linearize::LockKind::kPlain};
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) -> std::optional<Operation> {
    if (history.status(txn) == TxnStatus::kAborted) {
      return std::nullopt;
    }
    const bool is_acquire = history.ops(txn).front().value() == acquire;
    return Operation{.f =
                         static_cast<std::uint8_t>(is_acquire ? LockF::kAcquire : LockF::kRelease)};
  };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object,
                                linearize::judge_lock(object.operations, rules, history.values(),
                                                      linearize::work_of(request)));
  };
  type.replay = [&] { return linearize::lock_replay(rules, history.values()); };
  return linearize::verdict_of_objects(history, request, type);
}

}  // namespace

WorkloadRow mutex_row() {
  return {.workload = Workload(kMutexType),
          .recognise = recognise,
          .decode = decode,
          .judge = judge,
          .models = linearize::object_models()};
}

}  // namespace elapid
