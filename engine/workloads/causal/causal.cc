// causal: single operations :read-init, :write and :read on a register in one causal order, each
// with the position that the database gives it and a link to the one before.
//
//   {:type :ok, :f :read-init, :value 0, :link :init, :position 10}
//   {:type :ok, :f :write, :value 1, :link 10, :position 11}
//   {:type :ok, :f :read, :value 0, :link 11, :position 12}
//
// The read follows the write and does not show it, which causal consistency forbids. The history is
// valid if, in the order of completions, each operation links to the last one, the n-th write
// writes n, and reads show what was written last (0 at first); unknown if nothing succeeded.
//
// After Jepsen (jepsen.tests.causal), whose keys the result has: `:model`, the register at the end,
// or `:error`. Jepsen takes writes that failed, or whose fate is unknown, as if they had not been
// attempted; here they explain the number of a later write, and those of unknown fate what a later
// read shows. The test is of independent keys.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "engine/infer/order.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/causal/causal_register.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

using causal::CausalF;
using causal::CausalFault;
using causal::CausalOp;
using causal::CausalRegister;

constexpr std::array<std::string_view, 2> kCausalFields = {":link", ":position"};
constexpr WorkloadType kCausalType = {.name = "causal",
                                      .has_transactions = false,
                                      .has_objects = true,
                                      .has_own_values = true,
                                      .fields = kCausalFields};

/// A history of this workload has a :read-init for each register.
std::string_view recognise_causal(const Clues& clues) {
  return clues.has_call("read-init") ? "operations :read-init a register" : "";
}

/// The value of the operation: a write that does not repeat it has the invoked one.
ValueId value_of(const Call& call, DecodedCall& out) {
  const bool is_write = call.f == "write";
  if (is_write && call.repeats_invocation()) {
    return call.invoked.front().value;
  }
  const bool tells = call.value && (is_write || call.type == EventType::kOk);
  return tells ? out.values.intern(*call.value) : ValueId::nil();
}

/// Decodes value, link and position. A :read-init has a further read of true.
std::string decode_causal(const Call& call, DecodedCall& out) {
  const bool is_write = call.f == "write";
  if (!is_write && call.f != "read" && call.f != "read-init") {
    decode_other(call, out);
    return {};
  }
  const bool repeats = is_write && call.repeats_invocation();
  if (repeats && (call.type != EventType::kOk || call.invoked.front().kind != OpKind::kWrite)) {
    out.mops.assign(call.invoked);
    return {};
  }
  const auto interned = [&](std::string_view text) {
    return text.empty() ? ValueId::nil() : out.values.intern(text);
  };
  out.mops.push_back(
      {.kind = is_write ? OpKind::kWrite : OpKind::kRead, .value = value_of(call, out)});
  out.mops.push_back({.kind = OpKind::kRead, .value = interned(call.field(":link"))});
  out.mops.push_back({.kind = OpKind::kRead, .value = interned(call.field(":position"))});
  if (call.f == "read-init") {
    out.mops.push_back({.kind = OpKind::kRead, .value = interned("true")});
  }
  return {};
}

CausalOp operation_of(std::span<const Op> ops) {
  return {.f = ops.size() == 4     ? CausalF::kReadInit
               : ops[0].is_write() ? CausalF::kWrite
                                   : CausalF::kRead,
          .value = ops[0].value(),
          .link = ops[1].value(),
          .position = ops[2].value()};
}

struct FaultWords {
  const char* name;
  const char* gloss;
};

FaultWords words_of(CausalFault fault) {
  switch (fault) {
    case CausalFault::kBrokenLink:
      return {"broken-link", "an operation does not link to the one before it"};
    case CausalFault::kUnexpectedWrite:
      return {"unexpected-write", "the n-th write does not write n"};
    case CausalFault::kBadInit:
      return {"bad-init", "the first read does not show 0"};
    case CausalFault::kBadRead:
      break;
  }
  return {"stale-or-unwritten-read", "a read does not show the last write"};
}

class CausalJudge {
 public:
  CausalJudge(const History& history, const JudgeRequest& request)
      : history_(history),
        elle_compat_(request.elle_compat),
        state_(history.values(), request.elle_compat) {
    verdict_.engine = "causal";
    verdict_.assumptions.elle_compat = elle_compat_;
  }

  Verdict judge() && {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.ops(txn).size() >= 3 && !history_.has_invocation(txn)) {
        see_invocation(txn);  // at some time before
      }
    }
    EventOrder(history_).each([&](TxnId txn, EventKind kind) {
      if (history_.ops(txn).size() >= 3 && verdict_.findings.empty()) {
        kind == EventKind::kInvocation ? see_invocation(txn) : see_completion(txn);
      }
    });
    conclude(verdict_, !verdict_.findings.empty(), last_.is_none() && !elle_compat_,
             "no operation succeeded");
    if (verdict_.findings.empty()) {
      verdict_.entries.push_back(
          {"model", ResultValue::map({{"value", ResultValue::of(state_.value())},
                                      {"counter", state_.counter()},
                                      {"last-pos", ResultValue::of(state_.last_position())}})});
    }
    return std::move(verdict_);
  }

 private:
  void see_invocation(TxnId txn) {
    const Op op = history_.ops(txn).front();
    if (!op.is_write() || history_.committed(txn)) {
      return;
    }
    state_.skip(op.value());
    if (history_.status(txn) == TxnStatus::kIndeterminate) {
      state_.attempt(op.value());
    }
  }

  void see_completion(TxnId txn) {
    if (!history_.committed(txn)) {
      return;
    }
    const CausalOp op = operation_of(history_.ops(txn));
    if (const std::optional<CausalFault> fault = state_.step(op)) {
      const std::string message = state_.message(*fault, op);
      verdict_.entries.push_back({"error", ResultValue::string(message)});
      verdict_.findings.push_back(describe(txn, *fault, message));
    }
    last_ = txn;
  }

  [[nodiscard]] Description describe(TxnId txn, CausalFault fault,
                                     const std::string& message) const {
    const auto [name, gloss] = words_of(fault);
    Description description = {.name = name, .gloss = gloss};
    description.actors = {{.event = representative_ref(history_, txn)}};
    if (!last_.is_none()) {
      description.actors.push_back({.event = representative_ref(history_, last_)});
      description.claims.push_back(
          {.says = phrase("{} comes right after {}.", ActorPart{0}, ActorPart{1})});
    }
    description.claims.push_back(
        {.says = phrase("{} cannot come there: {}!", ActorPart{0}, message)});
    return description;
  }

  const History& history_;
  bool elle_compat_;
  CausalRegister state_;
  TxnId last_ = TxnId::none();
  Verdict verdict_;
};

Result<Verdict> judge_causal(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":read-init, :read and :write")) {
    return *error;
  }
  return CausalJudge(history, request).judge();
}

}  // namespace

/// The judgement is O(n) for n operations.
WorkloadRow causal_row() {
  return {.workload = Workload(kCausalType),
          .recognise = recognise_causal,
          .decode = decode_causal,
          .judge = judge_causal};
}

}  // namespace elapid
