// Mixed levels: the reads of weak transactions are split off, so that the solver of events decides
// the rest.
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/solve/mix_evidence.h"
#include "engine/solve/mix_reads.h"
#include "engine/solve/mix_visibility.h"
#include "engine/solve/solve.h"
#include "engine/solve/solve_by_txn.h"
#include "engine/solve/split_reads.h"

namespace elapid {

namespace {

constexpr const char* kRepeated =
    "mixed levels have no proof for lists with elements that were appended more than once";

/// Whether the proof names a key whose lists may have elements that were appended twice.
bool speaks_of_repeated(const Refutation& refutation, const History& history) {
  std::vector<bool> is_named(history.key_count(), false);
  for (const ProofStep& step : refutation.steps) {
    if (step.cycle.empty() && step.clause.empty()) {
      is_named.assign(history.key_count(), true);
    }
    for (const OrderEdge& edge : step.cycle) {
      if (!edge.key.is_none() && edge.relation <= Relation::kRw) {
        is_named[edge.key.index()] = true;
      }
    }
  }
  std::vector<std::pair<KeyId, ValueId>> appended;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      const bool counts = history.status(txn) != TxnStatus::kAborted && op.is_write();
      if (counts && is_named[op.key().index()]) {
        appended.emplace_back(op.key(), op.value());
      }
    }
  }
  std::ranges::sort(appended);
  return std::ranges::adjacent_find(appended) != appended.end();
}

/// Decides the levels without real time, if the history records none.
SolveResult solve_without_real_time(const History& history, const TxnLevels& levels,
                                    const SolveOptions& options) {
  std::vector<OrderLevel> untimed;
  std::vector<bool> dirty;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    untimed.push_back(levels.of(txn));
    untimed.back().real_time = false;
    dirty.push_back(levels.reads_anything(txn));
  }
  SolveResult result =
      solve_mixed(history, TxnLevels(std::move(untimed), std::move(dirty)), options);
  if (result.validity == Validity::kValid) {
    result = {.unknown_because = "a level needs real time, which this history does not record"};
  }
  return result;
}

/// The result if reads alone refute the history.
SolveResult refuted_by_reads(const History& history) {
  const Refutation refutation = {{ProofStep{}}};
  if (history.has_lists() && speaks_of_repeated(refutation, history)) {
    return {.unknown_because = kRepeated};
  }
  return {.validity = Validity::kInvalid, .refutation = refutation};
}

/// Decides a history whose levels differ or are weak.
SolveResult solve_split(const History& history, const TxnLevels& levels,
                        const SolveOptions& options) {
  const MixReads reads(history, levels);
  if (reads.has_odd_reads()) {
    return {.unknown_because = "the result of a list read is not a list"};
  }
  if (!reads.anomalies().empty()) {
    return {.validity = Validity::kInvalid, .anomalies = reads.anomalies()};
  }
  if (reads.has_unnamed()) {
    return refuted_by_reads(history);
  }
  const MixVisibility visibility(history, levels, reads, options);
  bool is_refuted = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    is_refuted = is_refuted || (visibility.took_effect(txn) && reads.contradicts_itself(txn));
  }
  if (is_refuted) {
    SolveResult refuted = refuted_by_reads(history);
    if (refuted.validity == Validity::kInvalid) {
      return refuted;
    }  // else lists repeat elements, and the solver may find an anomaly that needs no proof
  }
  if (visibility.lacks_participants()) {
    return {.unknown_because = visibility.unclear()};
  }
  const SplitHistory split = split_reads(history, levels, reads, visibility);
  std::vector<GivenOrder> given;
  for (std::size_t r = 0; r < split.reads.size(); ++r) {
    given.push_back(
        {TxnId{static_cast<std::uint32_t>(history.txn_count() + r)}, split.reads[r].txn});
  }
  for (const VisibleOrder& order : visibility.orders()) {
    if (!order.seen.is_none()) {
      given.push_back({order.visible, order.seen, order.key});
    }
  }
  SolveResult result = solve_by_txn(split.history, split.levels, given, options);
  if (!result.anomalies.empty()) {
    result.anomalies = anomalies_of(history, split, std::move(result.anomalies));
    return result.anomalies.empty() ? refuted_by_reads(history) : std::move(result);
  }
  if (is_refuted) {
    return {.unknown_because = kRepeated};
  }
  const auto initial = std::ranges::find(visibility.orders(), TxnId::none(), &VisibleOrder::seen);
  if (initial != visibility.orders().end()) {
    return {.validity = Validity::kInvalid,
            .refutation = refutation_by(visibility, *initial),
            .ends_with_cycle = true,
            .violations = 1};
  }
  if (result.validity == Validity::kValid && !visibility.unclear().empty()) {
    return {.unknown_because = visibility.unclear()};
  }
  if (result.witness) {
    result.witness = commits_of(split, *result.witness);
  }
  if (result.refutation) {
    result.refutation = refutation_of(history, split, visibility, *result.refutation);
    if (history.has_lists() && speaks_of_repeated(*result.refutation, history)) {
      return {.unknown_because = kRepeated};
    }
  }
  return result;
}

}  // namespace

SolveResult solve_mixed(const History& history, const TxnLevels& levels,
                        const SolveOptions& options) {
  if (auto reason = reason_to_leave_open(history, levels, options.assumptions)) {
    return {.unknown_because = *std::move(reason)};
  }
  const bool needs_real_time = levels.any([](OrderLevel level) { return level.real_time; });
  return needs_real_time && !history.info().has_real_time
             ? solve_without_real_time(history, levels, options)
             : solve_split(history, levels, options);
}

}  // namespace elapid
