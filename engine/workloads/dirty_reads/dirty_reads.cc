// dirty-reads: single operations :write one value to all rows of a table, and :read all rows.
//
//   {:type :fail, :f :write, :value 5}   {:type :ok, :f :read, :value [5 5 3]}
//
// The read shows 5, whose write failed: a dirty read. It also shows a mix of two writes, which is
// counted and not judged. The history is valid if no read shows a value of a failed write, and
// unknown if nothing was read.
//
// After Jepsen (tests of Galera and Percona), whose keys the result has: `:inconsistent-reads` and
// `:dirty-reads`, the values of such reads. A value that some other write may have written, since
// it did not fail, is not dirty here; Jepsen does not look for other writes.
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

namespace elapid {

namespace {

constexpr WorkloadType kDirtyReadsType = {
    .name = "dirty-reads", .has_transactions = false, .has_own_values = true};

/// Sets are written and read, too, but show no rows.
std::string_view recognise_dirty_reads(const Clues& clues) {
  return clues.is_whole && clues.reads_collections_of_writes() && clues.shows_rows()
             ? "values are written, and a :read shows rows that have some of them"
             : "";
}

/// Decodes a write as a write, and a read as the list of all rows. For Jepsen a failure with
/// another value than was invoked has that behind it, which is what failed.
std::string decode_dirty_reads(const Call& call, DecodedCall& out) {
  if (call.f == "write") {
    decode_change(call, OpKind::kWrite, out);
    if (call.is_for_jepsen && call.type == EventType::kFail) {
      add_told(call, OpKind::kWrite, out);
    }
    return {};
  }
  const std::optional<std::string_view> answer = answer_of_read(call, out);
  if (!answer) {
    return {};
  }
  const auto rows = inside(*answer);
  if (!rows || answer->starts_with('{')) {
    return "expected the values of all rows as the :value of this :read, found " +
           std::string(*answer);
  }
  decode_elements(*rows, out);
  return {};
}

/// By value, the failed write that wrote it, unless a write that may have succeeded wrote it, too.
std::unordered_map<ValueId, TxnId> failed_writes(const History& history, bool elle_compat) {
  std::unordered_map<ValueId, TxnId> failed;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (history.status(txn) == TxnStatus::kAborted && !ops.empty() && ops.front().is_write()) {
      failed.try_emplace((elle_compat ? ops.back() : ops.front()).value(), txn);
    }
  }
  for (TxnId txn{0}; txn.index() < history.txn_count() && !elle_compat; ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (op.is_write() && history.status(txn) != TxnStatus::kAborted) {
        failed.erase(op.value());
      }
    }
  }
  return failed;
}

Description describe(const History& history, TxnId read, TxnId write, ValueId value) {
  Description description = {.name = "dirty-read",
                             .gloss = "a read shows a value whose write failed"};
  description.actors = {{.event = representative_ref(history, write)},
                        {.event = representative_ref(history, read)}};
  description.claims = {
      {.says = phrase("{} wrote {}, and failed.", ActorPart{0}, ValuePart{value})},
      {.says = phrase("However, {} shows {}: a dirty read!", ActorPart{1}, ValuePart{value})}};
  return description;
}

ResultValue values_of(std::span<const ValueId> values) {
  std::vector<ResultValue> items;
  for (const ValueId value : values) {
    items.push_back(ResultValue::of(value));
  }
  return ResultValue::vector(std::move(items));
}

Result<Verdict> judge_dirty_reads(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":write and :read")) {
    return *error;
  }
  Verdict verdict = {.engine = "dirty-reads"};
  verdict.assumptions.elle_compat = request.elle_compat;
  const std::unordered_map<ValueId, TxnId> failed = failed_writes(history, request.elle_compat);
  std::vector<ResultValue> inconsistent;
  std::vector<ResultValue> dirty;
  bool was_read = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (!history.committed(txn) || ops.size() != 1 || ops.front().kind() != OpKind::kReadList) {
      continue;
    }
    was_read = true;
    const std::span<const ValueId> shown = history.elements(ops.front());
    if (std::ranges::adjacent_find(shown, std::not_equal_to()) != shown.end()) {
      inconsistent.push_back(values_of(shown));
    }
    const auto bad =
        std::ranges::find_if(shown, [&](ValueId value) { return failed.contains(value); });
    if (bad == shown.end()) {
      continue;
    }
    dirty.push_back(values_of(shown));
    if (verdict.findings.size() < kMostFindings) {
      verdict.findings.push_back(describe(history, txn, failed.at(*bad), *bad));
    }
  }
  conclude(verdict, !dirty.empty(), !was_read && !request.elle_compat, "no :read shows rows");
  verdict.entries = {{"inconsistent-reads", ResultValue::vector(std::move(inconsistent))},
                     {"dirty-reads", ResultValue::vector(std::move(dirty))}};
  return verdict;
}

}  // namespace

/// The judgement is O(n) in operations and values read.
WorkloadRow dirty_reads_row() {
  return {.workload = Workload(kDirtyReadsType),
          .recognise = recognise_dirty_reads,
          .decode = decode_dirty_reads,
          .judge = judge_dirty_reads};
}

}  // namespace elapid
