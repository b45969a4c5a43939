// causal-reverse, also named comments: single operations :write a value each to a set, and :read
// shows the set.
//
//   {:type :invoke, :f :write, :value 1}   {:type :ok, :f :write, :value 1}
//   {:type :invoke, :f :write, :value 2}   {:type :ok, :f :write, :value 2}
//   {:type :ok, :f :read, :value #{2}}
//
// Write 1 was acknowledged before write 2 was invoked, and the read shows 2 without 1: a causal
// reverse, which strict serializability forbids. The history is valid if no read shows a write
// without those acknowledged before its invocation, and unknown if nothing was read.
//
// After Jepsen (jepsen.tests.causal-reverse, and comments of the tests of CockroachDB), with
// Jepsen's keys in the result: `:errors`, the reads with the writes that they miss. For a value
// written more than once, Jepsen takes the last invocation. This check takes the first one that did
// not fail, since the value may show from then on. Both tests have independent keys.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/causal_reverse/precedence.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

using causal_reverse::Gap;
using causal_reverse::Precedence;

constexpr WorkloadType kCausalReverseType = {.name = "causal-reverse",
                                             .has_transactions = false,
                                             .has_objects = true,
                                             .has_own_values = true};

constexpr std::size_t kMostMissing = 1'000'000;  // values in all errors

/// Registers are written and read, too: these reads show no sets. Rows may repeat a value, and a
/// table may have one row.
std::string_view recognise_causal_reverse(const Clues& clues) {
  const CallClue read = clues.call("read");
  const bool may_be_rows = read.has_repeat || (read.length == 1 && !read.has_lengths);
  const bool are_elements = read.has_set || (clues.is_whole && !may_be_rows);
  return clues.reads_collections_of_writes() && !read.has_subkeys && are_elements
             ? "values are written, and a :read shows the set of them"
             : "";
}

std::string decode_read(const Call& call, DecodedCall& out) {
  if (call.type != EventType::kOk || !call.value) {
    out.mops.push_back({.kind = OpKind::kRead});
    return {};
  }
  const auto elements = inside(*call.value);
  if (!elements || call.value->starts_with('{')) {
    return "expected the values written so far as the :value of this :read, found " +
           std::string(*call.value);
  }
  decode_elements(*elements, out);
  return {};
}

/// Decodes a write as a write, with its attempt if that was another, and a read as a list, whose
/// order means nothing.
std::string decode_causal_reverse(const Call& call, DecodedCall& out) {
  if (call.f == "read") {
    return decode_read(call, out);
  }
  if (call.f != "write") {
    decode_other(call, out);
  } else {
    decode_change(call, OpKind::kWrite, out);
    add_attempt(call, out);
  }
  return {};
}

Description describe(const History& history, const Precedence& precedence, const Gap& gap) {
  const ValueId missing = gap.missing.front();
  Description description = {.name = "causal-reverse",
                             .gloss = "a read shows a write and misses an earlier one"};
  const TxnId before = precedence.acknowledgement_of(missing).txn;
  const TxnId after = precedence.invocation_of(gap.shown).txn;
  description.actors = {{.event = {before, EventKind::kCompletion}},
                        {.event = {after, EventKind::kInvocation}},
                        {.event = representative_ref(history, gap.read)}};
  description.claims.push_back(
      {.says = phrase("{} was told that {} is written, before {} began to write {}.", ActorPart{0},
                      ValuePart{missing}, ActorPart{1}, ValuePart{gap.shown})});
  description.claims.push_back(
      {.says = phrase("However, {} shows {} without {}: a causal reverse!", ActorPart{2},
                      ValuePart{gap.shown}, ValuePart{missing})});
  if (gap.missing.size() > 1) {
    SeriesPart series;
    for (const ValueId value : gap.missing) {
      series.items.push_back(as_phrase(ValuePart{value}));
    }
    description.claims.push_back(
        {.says = phrase(gap.is_cut ? "Missing are, among others: {}." : "Missing are: {}.",
                        std::move(series))});
  }
  return description;
}

ResultValue error_of(const History& history, const Gap& gap) {
  std::vector<ResultValue> missing;
  for (const ValueId value : gap.missing) {
    missing.push_back(ResultValue::of(value));
  }
  return ResultValue::event_without_value(
      representative_ref(history, gap.read),
      {{"missing", ResultValue::of_items(ResultValue::Kind::kSet, std::move(missing))},
       {"expected-count", gap.expected_count}});
}

bool is_shown(const History& history, TxnId txn) {
  const std::span<const Op> ops = history.ops(txn);
  return history.committed(txn) && ops.size() == 1 && ops.front().kind() == OpKind::kReadList;
}

Result<Verdict> judge_causal_reverse(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":write and :read")) {
    return *error;
  }
  Verdict verdict = {.engine = "causal-reverse"};
  verdict.assumptions.elle_compat = request.elle_compat;
  Precedence precedence(history, request.elle_compat);
  std::vector<ResultValue> errors;
  std::size_t missing = 0;
  std::int64_t left_out = 0;
  bool was_read = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!is_shown(history, txn)) {
      continue;
    }
    was_read = true;
    const std::size_t room = missing < kMostMissing ? kMostMissing - missing : 0;
    const std::optional<Gap> gap =
        precedence.gap_of(txn, request.elle_compat ? history.txn_count() : room + 1);
    if (!gap) {
      continue;
    }
    missing += gap->missing.size();
    if (request.elle_compat || missing <= kMostMissing) {
      errors.push_back(error_of(history, *gap));
    } else {
      ++left_out;
    }
    if (verdict.findings.size() < kMostFindings) {
      verdict.findings.push_back(describe(history, precedence, *gap));
    }
  }
  conclude(verdict, !verdict.findings.empty(), !was_read && !request.elle_compat,
           "no :read shows what was written");
  verdict.entries.push_back({"errors", ResultValue::vector(std::move(errors))});
  if (left_out > 0) {
    verdict.entries.push_back({"errors-left-out", left_out});
  }
  return verdict;
}

}  // namespace

/// The judgement is O(n log n) in operations and elements read, and what is missing.
WorkloadRow causal_reverse_row() {
  return {.workload = Workload(kCausalReverseType),
          .recognise = recognise_causal_reverse,
          .decode = decode_causal_reverse,
          .judge = judge_causal_reverse};
}

}  // namespace elapid
