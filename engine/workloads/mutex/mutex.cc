// mutex: single operations :acquire and :release a lock.
//
//   {:type :ok, :f :acquire, :value nil}   {:type :ok, :f :release, :value nil}
//
// The lock is free at first, and any process may release it, as in Knossos' model of this name.
// WorkloadSettings::lock says that it is of another kind, as Jepsen's tests of Hazelcast have them:
// owned, reentrant, fenced or a semaphore. The owner is the client that the value names,
// `{:client "a"}`, else the one of the process's other operations, else the process; a fence is the
// value of an acquire, `7` or `{:fence 7}`. It is judged for linearizability
// (engine/linearize/types/lock.h).
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"
#include "engine/workloads/setting.h"

namespace elapid {

namespace {

using linearize::LockF;
using linearize::LockKind;
using linearize::LockRules;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

constexpr WorkloadType kMutexType = {
    .name = "mutex", .has_transactions = false, .has_objects = true, .has_own_values = true};

std::string_view recognise_mutex(const Clues& clues) {
  return clues.has_call("acquire") && clues.has_only({"acquire", "release"})
             ? "operations :acquire and :release a lock"
             : "";
}

/// Decodes the name, the client and the fence: `{:client "a", :fence 3}`, or only the fence, which
/// may be any value if the lock has no fences. A completion without a value has that of the
/// invocation; one whose value names no client has the client of the invocation.
std::string decode_mutex(const Call& call, DecodedCall& out) {
  decode_other(call, out);
  if (!call.value || (call.f != "acquire" && call.f != "release")) {
    if (call.type != EventType::kInvoke && call.invoked.size() == 3) {
      out.mops.assign(call.invoked);
    }
    return {};
  }
  ValueId client = ValueId::nil();
  ValueId fence = out.values.intern(*call.value);
  if (call.value->starts_with('{')) {
    const std::vector<std::string_view> map = map_of(*call.value);
    const auto interned = [&](std::string_view text) {
      return text.empty() ? ValueId::nil() : out.values.intern(text);
    };
    client = interned(entry_of(map, ":client"));
    fence = interned(entry_of(map, ":fence"));
  }
  if (client.is_nil() && call.type != EventType::kInvoke && call.invoked.size() == 3) {
    client = call.invoked[1].value;
  }
  out.mops.push_back({.kind = OpKind::kWrite, .value = client});
  out.mops.push_back({.kind = OpKind::kRead, .value = fence});
  return {};
}

LockRules rules_of(const WorkloadSettings& settings) {
  struct Named {
    std::string_view name;
    LockKind kind;
  };

  constexpr std::array kNamed = {
      Named{"owned", LockKind::kOwned}, Named{"reentrant", LockKind::kReentrant},
      Named{"fenced", LockKind::kFenced}, Named{"reentrant-fenced", LockKind::kReentrantFenced},
      Named{"semaphore", LockKind::kSemaphore}};
  const auto* const named = std::ranges::find(kNamed, settings.lock, &Named::name);
  LockRules rules = {.kind = named == kNamed.end() ? LockKind::kPlain : named->kind};
  if (settings.lock_limit) {
    rules.limit = static_cast<std::uint64_t>(*settings.lock_limit);
  }
  return rules;
}

ResultEntry settings_of(const LockRules& rules, const WorkloadSettings& settings) {
  const bool is_named = !settings.lock.empty();
  ResultValue::Entries told = {
      {"lock", setting(ResultValue::keyword(is_named ? settings.lock : "plain"),
                       settings.source_of("lock", is_named, "default"))}};
  if (rules.kind == LockKind::kReentrant || rules.kind == LockKind::kReentrantFenced ||
      rules.kind == LockKind::kSemaphore) {
    told.emplace_back(
        "lock-limit",
        setting(static_cast<std::int64_t>(rules.limit),
                settings.source_of("lock-limit", settings.lock_limit.has_value(), "default")));
  }
  return settings_entry(std::move(told));
}

/// Who acquires and releases.
class Owners {
 public:
  /// `release`: the function whose owners releases() knows; none() if that is not asked.
  Owners(const History& history, ValueId release) : history_(history) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (const ValueId name = name_of(txn); !name.is_nil()) {
        ValueId& client = client_.try_emplace(history.session(txn).value, name).first->second;
        client = client == name ? name : ValueId::nil();
      }
    }
    for (TxnId txn{0}; !release.is_none() && txn.index() < history.txn_count(); ++txn.value) {
      if (history.ops(txn).front().value() == release) {
        releasing_.insert(of(txn));
      }
    }
  }

  /// nil: it may be any client, since only completions name them, and this operation has none.
  [[nodiscard]] ValueId of(TxnId txn) const {
    const std::uint32_t session = history_.session(txn).value;
    const auto client = client_.find(session);
    ValueId name = name_of(txn);
    if (name.is_nil() && client != client_.end()) {
      name = client->second;
    }
    const bool may_be_any = !client_.empty() && !history_.committed(txn);
    return name.is_nil() && !may_be_any ? ValueId::integer(session) : name;
  }

  /// Whether operations release by this name, or the name is unknown.
  [[nodiscard]] bool releases(ValueId name) const {
    return name.is_nil() || releasing_.contains(name);
  }

 private:
  [[nodiscard]] ValueId name_of(TxnId txn) const {
    const std::span<const Op> ops = history_.ops(txn);
    return ops.size() == 3 ? ops[1].value() : ValueId::nil();
  }

  const History& history_;
  std::unordered_map<std::uint32_t, ValueId> client_;  // by session; nil: it has several
  std::unordered_set<ValueId> releasing_;
};

bool has_fences(const LockRules& rules) {
  return rules.kind == LockKind::kFenced || rules.kind == LockKind::kReentrantFenced;
}

std::optional<Operation> operation_of(const History& history, TxnId txn, ValueId acquire,
                                      const LockRules& rules, const Owners& owners) {
  if (history.status(txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  const std::span<const Op> ops = history.ops(txn);
  const bool is_acquire = ops.front().value() == acquire;
  Operation operation = {
      .f = static_cast<std::uint8_t>(is_acquire ? LockF::kAcquire : LockF::kRelease)};
  if (rules.kind == LockKind::kPlain) {
    return operation;
  }
  operation.argument = owners.of(txn);
  if (rules.kind == LockKind::kSemaphore && is_acquire && !owners.releases(operation.argument)) {
    operation.argument = linearize::kNeverReleases;
  }
  if (has_fences(rules) && is_acquire && history.committed(txn)) {
    operation.result = ops.size() == 3 ? ops[2].value() : ValueId::nil();
  }
  return operation;
}

Result<Verdict> judge_mutex_objects(const History& history, const JudgeRequest& request,
                                    const LevelAnswer* claim) {
  const ValueId acquire = history.values().find(":acquire");
  const ValueId release = history.values().find(":release");
  const auto is_known = [&](std::span<const Op> ops) {
    return ops.front().kind() == OpKind::kOther &&
           (ops.front().value() == acquire || ops.front().value() == release);
  };
  if (auto error = linearize::refuse_foreign(history, is_known, ":acquire and :release of mutex")) {
    return *error;
  }
  const LockRules rules = rules_of(request.settings);
  const auto wrong_fence = [&](TxnId txn) -> std::optional<ValueId> {
    const std::span<const Op> ops = history.ops(txn);
    const bool has_fence = history.committed(txn) && ops.front().value() == acquire &&
                           ops.size() == 3 && !ops[2].value().is_nil();
    return has_fence && !history.values().as_integer(ops[2].value()) ? std::optional(ops[2].value())
                                                                     : std::nullopt;
  };
  if (has_fences(rules)) {
    if (auto error = linearize::refuse_value(
            history, wrong_fence, "an integer of 64 bits, or nil, as the fence of this :acquire")) {
      return *error;
    }
  }
  ObjectType type = {.name = "linearize"};
  const bool has_permits = rules.kind == LockKind::kSemaphore;
  const Owners owners(history, has_permits ? release : ValueId::none());
  type.decode = [&](TxnId txn) { return operation_of(history, txn, acquire, rules, owners); };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object,
                                linearize::judge_lock(object.operations, rules, history.values(),
                                                      linearize::work_of(request)));
  };
  type.replay = [&](const Object&) { return linearize::lock_replay(rules, history.values()); };
  type.core.model = [&](const Object& object, auto) {
    return std::make_unique<linearize::LockModel>(object.operations, rules, history.values());
  };
  Result<Verdict> verdict = linearize::verdict_of_objects(history, request, type, claim);
  if (verdict) {
    verdict.value().entries.push_back(settings_of(rules, request.settings));
  }
  return verdict;
}

}  // namespace

WorkloadRow mutex_row() {
  return object_row<judge_mutex_objects>(Workload(kMutexType), recognise_mutex, decode_mutex);
}

}  // namespace elapid
