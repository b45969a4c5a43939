// set: single operations :add an element to one set, and a final :read shows the whole set.
//
//   {:type :ok, :f :add, :value 1}   {:type :info, :f :add, :value 2}   {:type :ok, :f :add, :value
//   3}
//   {:type :ok, :f :read, :value [1 2 9]}
//
// Element 3 is lost: its add was acknowledged, and the read does not show it. Element 2 is
// recovered: whether its add succeeded was unknown. Element 9 is unexpected: no add of it was
// tried. The set is valid if nothing is lost or unexpected, and unknown if it was never read.
//
// After Jepsen (jepsen.checker/set), whose keys the result has. Jepsen takes for granted that all
// adds end before the last read begins. Where they do not, an add that was not acknowledged before
// the read began need not show, and one that begins after the read ended must not: with
// compatibility to Elle asked for, such elements are judged as Jepsen does. Where linearizability
// is asked for, all reads are judged, as those of grow-only-set.
#include <algorithm>
#include <optional>

#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/set/elements.h"

namespace elapid {

namespace {

constexpr WorkloadType kSetType = {.name = "set", .has_transactions = false};
constexpr Workload kSet(kSetType);

/// Counters have adds, too, but their reads show numbers. If several reads show collections, all of
/// them count (workload set-full), so one read is not enough to tell.
std::string_view recognise_set(const Clues& clues) {
  const CallClue read = clues.call("read");
  const bool is_final = clues.is_whole && read.has_collection && read.shown <= 1;
  return clues.has_only({"add", "read"}) && clues.has_call("add") && is_final
             ? "elements are added, and a :read shows a collection"
             : "";
}

/// The last read that was acknowledged. Jepsen looks at no other read.
std::optional<TxnId> final_read(const History& history) {
  std::optional<TxnId> last;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops = history.ops({t});
    const bool is_read = history.committed({t}) && ops.size() == 1 && ops.front().is_read();
    if (is_read && (!last || history.completion_id(*last) < history.completion_id({t}))) {
      last = TxnId{t};
    }
  }
  return last;
}

void add_entries(const History& history, const SetElements& set, Verdict& verdict) {
  const auto add_count = [&](std::string key, std::size_t count) {
    verdict.entries.push_back({std::move(key), static_cast<std::int64_t>(count)});
  };
  add_count("attempt-count", set.attempted.size());
  add_count("acknowledged-count", set.acknowledged.size());
  add_count("ok-count", set.ok.size());
  add_count("lost-count", set.lost.size());
  add_count("recovered-count", set.recovered.size());
  add_count("unexpected-count", set.unexpected.size());
  verdict.entries.push_back({"ok", interval_text(history, set.ok)});
  verdict.entries.push_back({"lost", interval_text(history, set.lost)});
  verdict.entries.push_back({"unexpected", interval_text(history, set.unexpected)});
  verdict.entries.push_back({"recovered", interval_text(history, set.recovered)});
}

/// Jepsen prints two or more elements as runs of numbers. It throws if one of them is no number,
/// unless nil is among them, since it prints these in another way.
bool throws_in_jepsen(const History& history, const SetElements& set) {
  const auto is_number = [&](ValueId element) {
    const ValueClass type = history.values().class_of(element);
    return type >= ValueClass::kLong && type <= ValueClass::kDecimal;
  };
  const auto throws = [&](const std::vector<ValueId>& elements) {
    return elements.size() > 1 && !std::ranges::all_of(elements, is_number) &&
           std::ranges::none_of(elements, &ValueId::is_nil);
  };
  return throws(set.ok) || throws(set.lost) || throws(set.unexpected) || throws(set.recovered);
}

Result<Verdict> judge_set(const History& history, const JudgeRequest& request) {
  if (request.models.any() && !request.elle_compat) {
    return grow_only_set_row().judge(history, request);
  }
  if (auto foreign = request.elle_compat ? std::nullopt
                                         : refuse_foreign_operation(history, ":add and :read")) {
    return *std::move(foreign);
  }
  Verdict verdict = {.engine = "set"};
  verdict.assumptions.elle_compat = request.elle_compat;
  const std::optional<TxnId> read = final_read(history);
  if (!read || history.ops(*read).front().kind() != OpKind::kReadList) {
    verdict.validity = Validity::kUnknown;
    verdict.unknown_because = "Set was never read";
    verdict.entries.push_back({"error", *verdict.unknown_because});
    return verdict;
  }
  const SetElements set = sort_elements(history, *read, request.elle_compat);
  if (request.elle_compat && throws_in_jepsen(history, set)) {
    verdict.validity = Validity::kUnknown;
    verdict.unknown_because =
        "Jepsen's checker throws: it cannot print elements that are not numbers as ranges";
    verdict.entries.push_back({"error", *verdict.unknown_because});
    return verdict;
  }
  add_entries(history, set, verdict);
  describe_losses(history, *read, request.elle_compat, set, verdict.findings);
  verdict.validity = verdict.findings.empty() ? Validity::kValid : Validity::kInvalid;
  verdict.complete = true;
  return verdict;
}

}  // namespace

/// The judgement is O(n log n) in adds and elements read.
WorkloadRow set_row() {
  return {.workload = kSet,
          .recognise = recognise_set,
          .decode = grow_only_set_row().decode,
          .judge = judge_set,
          .models = grow_only_set_row().models,
          .has_own_claim = true};
}

}  // namespace elapid
