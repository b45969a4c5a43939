#include <algorithm>
#include <span>
#include <vector>

#include "engine/certify/rows_beginning.h"
#include "engine/certify/rows_effects.h"
#include "engine/certify/rows_findings.h"
#include "engine/certify/rows_proof.h"
#include "engine/rows/rows.h"

namespace elapid {

using rows::RowOp;
using rows::ShownRow;

namespace {

/// The name of an operation that found what no transaction that took effect can have left, of one
/// row: G1a or G1b if an aborted transaction made it or one in passing, or a garbage read of a
/// row that it was shown.
std::optional<AnomalyType> dirty_class(const History& history, Model model,
                                       const RowsProofStep& step) {
  const rows::Rows& rows = *history.info().rows;
  const certify::RowsBeginning beginning(history);
  const certify::RowsEffects effects(history, false, model, beginning.any_row());
  const certify::RowsFindings findings(history);
  if (effects.flaw() || (step.row.is_none() && step.causes.empty()) ||
      step.mop >= history.ops(step.txn).size()) {
    return std::nullopt;
  }
  const RowOp& op = rows.op(history.ops(step.txn)[step.mop]);
  const KeyId row = step.row.is_none() ? step.causes.front().row : step.row;
  const bool lists = !op.has_predicate() || certify::is_listed(op) || certify::is_empty(op);
  if (!lists || effects.carried_out(step.txn, step.mop, row, {}).maybe != 0 ||
      !findings.is_impossible(op, row, effects.first_version(row))) {
    return std::nullopt;
  }
  for (const TxnId writer : effects.writers_of(row)) {
    if (writer != step.txn && !findings.is_impossible(op, row, effects.left_by(writer, row))) {
      return std::nullopt;
    }
  }
  const auto made = [&](bool is_aborted) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (txn == step.txn || (history.status(txn) == TxnStatus::kAborted) != is_aborted) {
        continue;
      }
      for (std::size_t count = 1; count <= history.ops(txn).size(); ++count) {
        const certify::CarriedOut now = effects.carried_out(txn, count, row, {});
        if (now.sure != 0 && !findings.is_impossible(op, row, now.row)) {
          return true;
        }
      }
    }
    return false;
  };
  const std::span<const ShownRow> shown = rows.shown(op);
  const bool is_shown = std::ranges::find(shown, row, &ShownRow::row) != shown.end();
  return made(true)    ? std::optional(AnomalyType::kG1a)
         : made(false) ? std::optional(AnomalyType::kG1b)
         : is_shown    ? std::optional(AnomalyType::kGarbageRead)
                       : std::nullopt;
}

}  // namespace

std::optional<AnomalyType> class_of_proof(const History& history,
                                          const RowsProofEvidence& evidence) {
  const std::vector<RowsCycleEdge> cycle = plain_cycle(evidence);
  for (const RowsProofStep& step : evidence.steps) {
    const bool is_fact = step.reason == RowsProofStep::Reason::kFound ||
                         step.reason == RowsProofStep::Reason::kVersions;
    if (!is_fact || !step.clause.empty()) {
      continue;
    }
    if (const auto type = dirty_class(history, evidence.model, step)) {
      return type;
    }
    if (step.reason == RowsProofStep::Reason::kVersions) {
      continue;
    }
    if (step.causes.empty()) {
      return AnomalyType::kInternal;
    }
    // Nothing but what the row held from the beginning, or what nobody else could change.
    const LastWriter& cause = step.causes.front();
    const rows::Rows& rows = *history.info().rows;
    const auto shown = rows.shown(rows.op(history.ops(step.txn)[step.mop]));
    const bool is_shown = std::ranges::find(shown, cause.row, &ShownRow::row) != shown.end();
    if (step.by_predicate && !is_shown && cause.writer == history.info().initial_txn) {
      return AnomalyType::kPredicateReadMiss;
    }
  }
  if (cycle.empty()) {
    return std::nullopt;
  }
  const bool has_sessions = order_level(evidence.model)->sessions;
  if (evidence.model == Model::kPl2) {
    return std::ranges::any_of(cycle,
                               [](const RowsCycleEdge& edge) {
                                 return edge.shown_by != nullptr && edge.relation == Relation::kWr;
                               })
               ? AnomalyType::kG1c
               : AnomalyType::kG0;
  }
  bool has_process = false;
  bool has_real_time = false;
  for (const RowsCycleEdge& edge : cycle) {
    if (edge.shown_by == nullptr && edge.from.txn != history.info().initial_txn) {
      const bool in_session = has_sessions && edge.from.txn < edge.to.txn &&
                              history.session(edge.from.txn) == history.session(edge.to.txn);
      has_process = has_process || in_session;
      has_real_time = has_real_time || !in_session;
    }
  }
  return class_of_cycle(cycle, has_process, has_real_time);
}

}  // namespace elapid
