// echo: single operations :echo a text, and show the response.
//
//   {:type :invoke, :f :echo, :value "a"}, {:type :ok, :f :echo, :value {:type "echo_ok", :echo
//   "a"}}
//
// The history is valid if each response has the text that was sent as its :echo, and unknown if
// there is no response. After Maelstrom, to which a request without a response is wrong, too: so it
// is under --elle-compat; elsewhere availability (parsers/door/availability.h) asks for responses.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

constexpr WorkloadType kEchoType = {
    .name = "echo", .has_transactions = false, .has_own_values = true};

std::string_view recognise_echo(const Clues& clues) {
  return clues.calls.size() == 1 && clues.has_call("echo") ? "operations :echo a text" : "";
}

/// Decodes the text sent as a write, and the response as a read.
std::string decode_echo(const Call& call, DecodedCall& out) {
  if (call.f != "echo") {
    decode_other(call, out);
    return {};
  }
  const ValueId value = call.value ? out.values.intern(*call.value) : ValueId::nil();
  if (call.type == EventType::kInvoke) {
    out.mops.push_back({.kind = OpKind::kWrite, .value = value});
    return {};
  }
  out.mops.assign(call.invoked);
  out.mops.push_back({.kind = OpKind::kRead, .value = value});
  return {};
}

/// Whether a response has the text that was sent. `asked` and `response` are canonical EDN.
bool echoes(std::string_view asked, std::string_view response) {
  const std::string_view echoed = entry_of(map_of(response), ":echo");
  return (echoed.empty() ? "nil" : echoed) == asked;
}

Description describe(const History& history, TxnId txn, ValueId asked, ValueId response) {
  Description description = {.name = "wrong-echo", .gloss = "a response is not what was sent"};
  description.actors = {{.event = representative_ref(history, txn)}};
  description.claims = {
      {.says = phrase("{} sent {}.", ActorPart{0}, ValuePart{asked})},
      {.says = phrase("However, the response was {}: a wrong echo!", ValuePart{response})}};
  return description;
}

/// To Maelstrom, an operation without a completion shows nothing.
Result<Verdict> judge_echoes(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":echo")) {
    return *error;
  }
  Verdict verdict = {.engine = "echo"};
  verdict.assumptions.elle_compat = request.elle_compat;
  std::vector<ResultValue> errors;
  bool has_response = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    const bool is_asked = !ops.empty() && ops.front().is_write();
    if (!is_asked || (!history.committed(txn) && !request.elle_compat)) {
      continue;
    }
    has_response |= history.committed(txn);
    const ValueId asked = ops.front().value();
    const ValueId response = ops.size() > 1 ? ops.back().value() : ValueId::nil();
    if (echoes(history.values().text(asked), history.values().text(response))) {
      continue;
    }
    errors.push_back(ResultValue::vector(
        {ResultValue::string("Expected a message with :echo"), ResultValue::of(asked),
         ResultValue::string("But received"), ResultValue::of(response)}));
    if (verdict.findings.size() < kMostFindings) {
      verdict.findings.push_back(describe(history, txn, asked, response));
    }
  }
  conclude(verdict, !errors.empty(), errors.empty() && !has_response && !request.elle_compat,
           "no :echo has a response");
  verdict.entries = {{"errors", ResultValue::vector(std::move(errors))}};
  return verdict;
}

}  // namespace

/// The judgement is O(n) in the length of texts and responses.
WorkloadRow echo_row() {
  return {.workload = Workload(kEchoType),
          .recognise = recognise_echo,
          .decode = decode_echo,
          .judge = judge_echoes,
          .claim_lasts = [](const History&) { return true; }};
}

}  // namespace elapid
