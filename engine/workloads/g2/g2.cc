// g2: single operations :insert a row for a key into one of two tables, if neither has one.
//
//   {:type :ok, :f :insert, :value [7 [1 nil]]}   row 1 into table a
//   {:type :ok, :f :insert, :value [7 [nil 2]]}   row 2 into table b
//
// Each insertion first looks for rows of the key in both tables. So one of the two insertions above
// must have failed: neither saw the row of the other, an anti-dependency cycle by predicates (G2).
// The history is valid if no key has two insertions that succeeded, and unknown if it has none at
// all.
//
// After Jepsen (jepsen.tests.adya), whose keys the result has. The value is a tuple of
// jepsen.independent; a history whose keys were split already has the pairs of rows alone.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/value_order.h"

namespace elapid {

namespace {

constexpr WorkloadType kG2Type = {.name = "g2", .has_transactions = false, .has_own_values = true};

std::string_view recognise_g2(const Clues& clues) {
  return clues.calls.size() == 1 && clues.call("insert").has_collection
             ? "operations :insert rows for keys"
             : "";
}

bool is_row(const std::vector<std::string_view>& pair) {
  return (pair.front() == "nil") != (pair.back() == "nil");
}

/// Decodes an insertion as a write of its key; nil if the keys were split.
std::string decode_g2(const Call& call, DecodedCall& out) {
  if (call.f != "insert") {
    decode_other(call, out);
    return {};
  }
  const bool tells = call.type == EventType::kInvoke || call.type == EventType::kOk;
  if (call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const auto outer = call.value ? pair_of(*call.value) : std::nullopt;
  const auto inner = outer ? pair_of(outer->back()) : std::nullopt;
  if (inner && is_row(*inner)) {
    out.mops.push_back({.kind = OpKind::kWrite, .value = out.values.intern(outer->front())});
  } else if (outer && is_row(*outer)) {
    out.mops.push_back({.kind = OpKind::kWrite, .value = ValueId::nil()});
  } else if (tells) {
    return "expected a key and the row of one table, as [key [id nil]] or [key [nil id]], as the "
           ":value of this :insert, found " +
           std::string(call.value.value_or("nil"));
  } else {
    out.mops.push_back({.kind = OpKind::kWrite, .value = ValueId::nil()});
  }
  return {};
}

/// The insertions of a key that succeeded, in the order of their completions.
struct Insertions {
  ValueId key;
  std::vector<TxnId> succeeded;
};

std::vector<Insertions> insertions_by_key(const History& history) {
  std::vector<Insertions> all;
  std::unordered_map<ValueId, std::size_t> place;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      const auto [found, is_new] = place.try_emplace(op.value(), all.size());
      if (is_new) {
        all.push_back({op.value(), {}});
      }
      if (history.committed(txn)) {
        all[found->second].succeeded.push_back(txn);
      }
    }
  }
  return all;
}

Description describe(const History& history, const Insertions& insertions) {
  Description description = {.name = "G2",
                             .gloss = "two insertions that must see each other's row succeeded"};
  for (const TxnId txn : {insertions.succeeded[0], insertions.succeeded[1]}) {
    description.actors.push_back({.event = representative_ref(history, txn)});
  }
  description.claims.push_back(
      {.says = insertions.key.is_nil()
                   ? phrase("{} and {} each looked for rows, found none, and inserted one.",
                            ActorPart{0}, ActorPart{1})
                   : phrase("{} and {} each looked for rows of key {}, found none, and inserted "
                            "one.",
                            ActorPart{0}, ActorPart{1}, ValuePart{insertions.key})});
  description.claims.push_back(
      {.says = phrase("However, the second insertion must have found the row of the first: G2!")});
  return description;
}

Result<Verdict> judge_g2(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":insert")) {
    return *error;
  }
  Verdict verdict = {.engine = "g2"};
  verdict.assumptions.elle_compat = request.elle_compat;
  std::vector<Insertions> all = insertions_by_key(history);
  std::ranges::sort(all, ValueOrder(history), &Insertions::key);
  std::int64_t legal = 0;
  std::int64_t illegal_count = 0;
  ResultValue illegal = ResultValue::map({});
  for (const Insertions& insertions : all) {
    legal += insertions.succeeded.size() == 1 ? 1 : 0;
    if (insertions.succeeded.size() < 2) {
      continue;
    }
    ++illegal_count;
    illegal.add(ResultValue::of(insertions.key),
                static_cast<std::int64_t>(insertions.succeeded.size()));
    if (verdict.findings.size() < kMostFindings) {
      verdict.findings.push_back(describe(history, insertions));
    }
  }
  conclude(verdict, illegal_count > 0, all.empty() && !request.elle_compat, "nothing was inserted");
  verdict.entries = {{"key-count", static_cast<std::int64_t>(all.size())},
                     {"legal-count", legal},
                     {"illegal-count", illegal_count},
                     {"illegal", std::move(illegal)}};
  return verdict;
}

/// The events of the insertions that succeeded, in order.
std::vector<std::pair<EventId, TxnId>> events_of_succeeded(const History& history) {
  std::vector<std::pair<EventId, TxnId>> events;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      if (history.has_invocation(txn)) {
        events.emplace_back(history.invocation_id(txn), txn);
      }
      events.emplace_back(history.completion_id(txn), txn);
    }
  }
  std::ranges::sort(events);
  return events;
}

/// Each insertion that succeeded writes a row of its own, and did not find the row of its key's
/// first successful insertion. If any two of them do not overlap, the last one to begin began after
/// the first one had ended.
std::vector<std::vector<MopInput>> rows_of(const History& history, HistoryBuilder& builder) {
  std::vector<std::vector<MopInput>> rows(history.txn_count());
  const auto row = [&](TxnId txn) { return builder.key(ValueId::integer(txn.value)); };
  for (const Insertions& insertions : insertions_by_key(history)) {
    for (const TxnId txn : insertions.succeeded) {
      std::vector<MopInput>& mops = rows[txn.index()];
      if (txn != insertions.succeeded.front()) {
        mops.push_back({.kind = OpKind::kRead, .key = row(insertions.succeeded.front())});
      }
      mops.push_back({.kind = OpKind::kWrite, .key = row(txn), .value = ValueId::integer(1)});
    }
  }
  return rows;
}

/// The history for levels that an order of events defines. Predicates become reads of the rows.
Result<History> transactions_of_g2(const History& history, const JudgeRequest& /*request*/) {
  HistoryBuilder builder;
  const std::vector<std::vector<MopInput>> rows = rows_of(history, builder);
  for (const auto& [event, txn] : events_of_succeeded(history)) {
    const bool is_invoked = event != history.completion_id(txn);
    const Status added =
        builder.add_event({.type = is_invoked ? EventType::kInvoke : EventType::kOk,
                           .process = history.session(txn).value,
                           .mops = rows[txn.index()]});
    ELAPID_RETURN_IF_ERROR(added);
  }
  return std::move(builder).build(
      {.workload = Workload::kRwRegister, .has_real_time = history.info().has_real_time});
}

}  // namespace

/// The judgement is O(n log n) for n operations.
WorkloadRow g2_row() {
  return {.workload = Workload(kG2Type),
          .recognise = recognise_g2,
          .decode = decode_g2,
          .judge = judge_g2,
          .general = GeneralClaim{.model = Model::kStrongSnapshotIsolation,
                                  .transactions = transactions_of_g2,
                                  .has_items = false},
          .claim_lasts = [](const History&) { return true; }};
}

}  // namespace elapid
