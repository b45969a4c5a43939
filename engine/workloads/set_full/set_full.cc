// set-full: single operations :add an element to one set, and each :read shows what is in it.
//
//   {:type :ok, :f :add, :value 1}   {:type :ok, :f :read, :value [1]}
//   {:type :ok, :f :add, :value 2}   {:type :ok, :f :read, :value [2]}
//
// Element 1 is lost: the second read began after the element's add had ended, and after all reads
// with the element began, and does not show it. An element was stale if some read misses it but all
// later ones show it. The set is valid if no element is lost, none is shown before its add or
// although its adds failed, and no read shows one twice; unknown if no element is there to stay. If
// the request asks for linearizable elements, none may be stale (element_fates.h).
//
// After jepsen.checker/set-full, with its keys in the result. It only looks at lost and stale
// elements; with compatibility to Elle, so does this check. Maelstrom's workloads g-set, and
// broadcast with :broadcast as :add, are judged in this way.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/set_full/set_full_result.h"
#include "engine/workloads/setting.h"

namespace elapid {

namespace {

constexpr WorkloadType kSetFullType = {
    .name = "set-full", .has_transactions = false, .has_own_values = true};

/// A single read is the final one of workload set.
std::string_view recognise_set_full(const Clues& clues) {
  const bool is_broadcast = clues.has_call("broadcast");
  const CallClue read = clues.call("read");
  if (!clues.has_only({"add", "broadcast", "read"}) || read.has_map || !read.has_collection) {
    return "";
  }
  return is_broadcast ? "values are broadcast, and a :read shows a collection"
         : clues.has_call("add") && read.shown > 1
             ? "elements are added, and several operations :read show a collection"
             : "";
}

std::string decode_set_full(const Call& call, DecodedCall& out) {
  Call add = call;
  if (call.f == "broadcast") {
    add.f = "add";
  }
  return grow_only_set_row().decode(add, out);
}

/// Whether Clojure can sort the elements. Jepsen throws if it cannot: for elements of several
/// types, maps and sets.
bool sorts_in_clojure(const History& history, const std::vector<ElementFate>& fates) {
  std::optional<ValueClass> first;
  for (const ElementFate& fate : fates) {
    ValueClass type = history.values().class_of(fate.element);
    if (type == ValueClass::kBigInt || type == ValueClass::kRatio || type == ValueClass::kDouble ||
        type == ValueClass::kDecimal) {
      type = ValueClass::kLong;
    }
    const bool has_no_order = type == ValueClass::kMap || type == ValueClass::kSet;
    if (type != ValueClass::kNil && fates.size() > 1 &&
        (has_no_order || type != first.value_or(type))) {
      return false;
    }
    first = type == ValueClass::kNil ? first : type;
  }
  return true;
}

/// Whether an add ends whose element no earlier event tried to add. Jepsen throws then.
bool has_untried_add(const History& history) {
  std::unordered_map<ValueId, EventId> tried;  // by element: the first invocation
  std::vector<TxnId> untried;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (ops.size() != 1 || ops.front().kind() != OpKind::kAppend) {
      continue;
    }
    if (!history.has_invocation(txn)) {
      untried.push_back(txn);
      continue;
    }
    EventId& first =
        tried.try_emplace(ops.front().value(), history.invocation_id(txn)).first->second;
    first = std::min(first, history.invocation_id(txn));
  }
  return std::ranges::any_of(untried, [&](TxnId txn) {
    const auto first = tried.find(history.ops(txn).front().value());
    return first == tried.end() || history.completion_id(txn) < first->second;
  });
}

bool is_add_or_read(std::span<const Op> ops) {
  return ops.size() == 1 && ops.front().kind() != OpKind::kOther;
}

Verdict unknown_set(Verdict verdict, std::string why) {
  verdict.validity = Validity::kUnknown;
  verdict.complete = false;
  verdict.unknown_because = std::move(why);
  return verdict;
}

Verdict judge_set_as_jepsen(const History& history, const ElementFates& set, bool is_linearizable) {
  Verdict verdict = {.engine = "set-full", .complete = true};
  verdict.assumptions.elle_compat = true;
  const std::string_view thrown = has_untried_add(history) ? "an :add ends that was not invoked"
                                  : !sorts_in_clojure(history, set.fates)
                                      ? "elements that cannot be sorted"
                                      : "";
  if (!thrown.empty()) {
    verdict.entries = {{"error", std::string(thrown)}};
    return unknown_set(std::move(verdict), std::string(thrown));
  }
  const FateCounts counts = count_fates(set);
  verdict.entries = set_full_entries(set, true);
  verdict.findings =
      set_full_findings(history, {.fates = set.fates}, is_linearizable && counts.slow > 0);
  if (counts.lost > 0) {
    verdict.validity = Validity::kInvalid;
  } else if (counts.stable == 0) {
    return unknown_set(std::move(verdict), "no element is stable");
  } else if (is_linearizable && counts.slow > 0) {
    verdict.validity = Validity::kInvalid;
  }
  return verdict;
}

/// Adds what the verdict claims, and what it does not claim.
void add_claim(bool is_linearizable, Verdict& verdict) {
  verdict.entries.push_back(
      {"elapid/claim", is_linearizable ? "all reads that begin after an add show its element"
                                       : "each added element is read in the end"});
  verdict.entries.push_back(
      {"elapid/not-asked", ResultValue::vector({ResultValue::keyword("linearizable")})});
  verdict.entries.push_back(
      settings_entry({{"linearizable?", setting(ResultValue::boolean(is_linearizable),
                                                is_linearizable ? "given" : "default")}}));
}

Result<Verdict> judge_set_full(const History& history, const JudgeRequest& request) {
  if (request.models.any() && !request.elle_compat) {
    return grow_only_set_row().judge(history, request);
  }
  if (!request.elle_compat) {
    if (auto error =
            linearize::refuse_foreign(history, is_add_or_read, ":add and :read of set-full")) {
      return *error;
    }
  }
  const ElementFates set = element_fates(history, request.elle_compat);
  const bool is_linearizable = request.settings.linearizable_elements;
  if (request.elle_compat) {
    return judge_set_as_jepsen(history, set, is_linearizable);
  }
  Verdict verdict = {.engine = "set-full", .complete = true};
  verdict.entries = set_full_entries(set, false);
  add_claim(is_linearizable, verdict);
  verdict.findings = set_full_findings(history, set, is_linearizable);
  if (verdict.findings.empty() && count_fates(set).stable == 0) {
    return unknown_set(std::move(verdict), "no :read shows an element that was added");
  }
  verdict.validity = verdict.findings.empty() ? Validity::kValid : Validity::kInvalid;
  return verdict;
}

}  // namespace

/// The judgement is linear in the elements that reads show, beside sorting. Where linearizability
/// is asked for, the set is judged as grow-only-set.
WorkloadRow set_full_row() {
  return {.workload = Workload(kSetFullType),
          .recognise = recognise_set_full,
          .decode = decode_set_full,
          .judge = judge_set_full,
          .models = grow_only_set_row().models,
          .has_own_claim = true};
}

}  // namespace elapid
