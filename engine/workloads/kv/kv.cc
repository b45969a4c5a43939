// kv: single operations :get, :put, :append to, or :delete one key of a store.
//
//   {:type :ok, :f :append, :key "a", :value "x"}   {:type :ok, :f :get, :key "a", :value "x"}
//
// The key stands beside the value, or the values are tuples of jepsen.independent. Before its first
// put, and after a delete, a key has the initial value that the format or the user says, nil if
// none does; an append to nil is one to an empty text. Each key is judged for linearizability by
// itself (engine/linearize/types/kv.h).
#include <optional>
#include <string>

#include "engine/ir/kv_workload.h"
#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/kv.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::KvF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;

std::string_view recognise_kv(const Clues& clues) {
  return clues.has_only({"get", "put", "append", "delete"}) && clues.has_call("get") &&
                 (clues.has_call("put") || clues.has_call("append"))
             ? "operations :get and :put or :append the value of a key"
             : "";
}

/// Sets the key if it stands beside the value.
void name_key(const Call& call, DecodedCall& out) {
  const std::string_view key = call.field(":key");
  if (!key.empty() && !out.mops.empty()) {
    set_key_name(out.mops.back(), out.values.intern(key));
  }
}

/// Whether the value is a text, a number, a keyword or a boolean. These count as written.
bool is_simple(std::string_view value) {
  return std::string_view("[{#(").find(value.front()) == std::string_view::npos;
}

/// Decodes a put as a write, an append as an append, and a get as a read.
std::string decode_kv(const Call& call, DecodedCall& out) {
  const bool is_get = call.f == "get";
  const bool is_put = call.f == "put";
  if (!is_get && !is_put && call.f != "append") {
    decode_other(call, out);
    name_key(call, out);
    return {};
  }
  if (!is_get && call.type != EventType::kInvoke && !call.invoked.empty()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const bool shows = call.value.has_value() && (!is_get || call.type == EventType::kOk);
  const bool is_append = !is_get && !is_put;
  if ((shows && !is_simple(*call.value)) || (is_append && !shows)) {
    return "expected a text as the :value of this :" + std::string(call.f) + ", found " +
           std::string(call.value.value_or("nil"));
  }
  out.mops.push_back({.kind = is_get   ? OpKind::kRead
                              : is_put ? OpKind::kWrite
                                       : OpKind::kAppend,
                      .value = shows ? out.values.intern(*call.value) : ValueId::nil()});
  name_key(call, out);
  return {};
}

std::optional<Operation> kv_operation(const History& history, TxnId txn) {
  const Op op = history.ops(txn).front();
  if (history.status(txn) == TxnStatus::kAborted ||
      (op.kind() == OpKind::kRead && !history.committed(txn))) {
    return std::nullopt;
  }
  switch (op.kind()) {
    case OpKind::kRead:
      return Operation{.f = static_cast<std::uint8_t>(KvF::kGet), .result = op.value()};
    case OpKind::kWrite:
      return Operation{.f = static_cast<std::uint8_t>(KvF::kPut), .argument = op.value()};
    case OpKind::kAppend:
      return Operation{.f = static_cast<std::uint8_t>(KvF::kAppend), .argument = op.value()};
    default:
      return Operation{.f = static_cast<std::uint8_t>(KvF::kDelete)};
  }
}

Result<Verdict> judge_kv_objects(const History& history, const JudgeRequest& request,
                                 const LevelAnswer* claim) {
  const ValueId removal = history.values().find(":delete");
  const auto is_known = [&](std::span<const Op> ops) {
    return ops.size() == 1 && ops.front().kind() != OpKind::kReadList &&
           (ops.front().kind() != OpKind::kOther || ops.front().value() == removal);
  };
  if (auto error =
          linearize::refuse_foreign(history, is_known, ":get, :put, :append and :delete of kv")) {
    return *error;
  }
  const ValueId initial = history.info().initial;
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return kv_operation(history, txn); };
  type.judge = [&](const Object& object) {
    return linearize::answer_of(history, object,
                                linearize::judge_kv(object.operations, initial, history.values(),
                                                    linearize::work_of(request)));
  };
  type.replay = [&](const Object&) { return linearize::kv_replay(initial, history.values()); };
  type.core.model = [&](const Object&, auto) {
    return std::make_unique<linearize::KvModel>(initial, history.values());
  };
  return linearize::verdict_of_objects(history, request, type, claim);
}

}  // namespace

WorkloadRow kv_row() {
  return object_row<judge_kv_objects>(kKvWorkload, recognise_kv, decode_kv);
}

}  // namespace elapid
