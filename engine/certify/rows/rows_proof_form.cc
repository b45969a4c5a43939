// Whether a step of a proof about rows names only things that the history has.
#include <algorithm>

#include "engine/certify/rows/rows_proof_check.h"

namespace elapid::certify {

using ChoiceKind = RowsChoice::Kind;
using ProofReason = RowsProofStep::Reason;
using rows::RowOp;
using rows::RowOpKind;

bool RowsProofCheck::is_event(OrderEvent event) const {
  return event.txn.index() < history_.txn_count() &&
         history_.status(event.txn) != TxnStatus::kAborted && (event.is_commit || has_two_events_);
}

bool RowsProofCheck::is_txn_or_first(TxnId txn) const {
  return txn.is_none() ? beginning_.is_open() || evidence_.model == Model::kReadAtomic
                       : is_txn(txn);
}

const RowOp* RowsProofCheck::operation(TxnId txn, std::size_t mop) const {
  const std::span<const Op> ops = history_.ops(txn);
  return mop < ops.size() ? &rows_.op(ops[mop]) : nullptr;
}

bool RowsProofCheck::is_way(const RowsChoice& choice) const {
  const RowOp* op = operation(choice.first.txn, choice.mop);
  const bool may_miss = op != nullptr && op->kind == RowOpKind::kDelete && op->row == choice.row &&
                        (choice.kind == ChoiceKind::kFound || effects_.may_be_old(*op));
  if (op == nullptr || !(may_miss || op->finds_unnamed())) {
    return false;
  }
  return choice.as >= kAsMissed ||
         (op->known == rows::Known::kBag && choice.as < rows_.shown(*op).size());
}

bool RowsProofCheck::is_understood(const RowsProofStep& step) const {
  const auto is_choice = [&](const RowsChoice& choice) {
    switch (choice.kind) {
      case ChoiceKind::kBefore:
        return is_event(choice.first) && is_event(choice.second) && choice.holds &&
               choice.first != choice.second;
      case ChoiceKind::kConcerned:
        return is_event(choice.first) && is_txn_or_first(choice.middle) && is_row(choice.row) &&
               (choice.as == kAsRecorded || is_way(choice));
      case ChoiceKind::kFound:
        return is_event(choice.first) && is_row(choice.row) && choice.as != kAsRecorded &&
               choice.as != kAsMissed && is_way(choice);
      case ChoiceKind::kAtFirst:
        return beginning_.is_open() && is_row(choice.row) && is_part(choice.part) &&
               choice.part != kRowVersion && !choice.values.empty() &&
               (choice.part != kRowExistence || choice.values == std::vector{ValueId::integer(1)});
      case ChoiceKind::kBetween:
        return (choice.first.txn.is_none() || is_event(choice.first)) && is_event(choice.second) &&
               is_txn(choice.middle);
      default:
        return is_txn(choice.first.txn);
    }
  };
  const bool is_about_first = step.reason == ProofReason::kVersion && step.other.is_none();
  const bool has_places =
      std::ranges::all_of(step.cycle, [&](OrderEvent event) { return is_event(event); }) &&
      std::ranges::all_of(step.causes, [&](const LastWriter& cause) {
        return is_row(cause.row) && is_part(cause.part) &&
               (cause.writer.is_none() || is_txn(cause.writer)) &&
               (is_about_first || is_txn(cause.reader));
      });
  const bool has_findings = std::ranges::all_of(step.later, [&](const LaterFinding& found) {
    return is_txn(found.txn) && found.mop < history_.ops(found.txn).size();
  });
  const bool is_about_versions =
      step.reason == ProofReason::kVersions || step.reason == ProofReason::kVersion ||
      step.reason == ProofReason::kWritten || step.reason == ProofReason::kFractured;
  const bool is_about_txn = is_about_versions || step.reason == ProofReason::kFound ||
                            step.reason == ProofReason::kOverlap || counts_rows(step);
  const bool is_about_two = step.reason == ProofReason::kOverlap ||
                            step.reason == ProofReason::kVersion ||
                            step.reason == ProofReason::kFractured;
  return has_places && has_findings && std::ranges::all_of(step.clause, is_choice) &&
         (!is_about_txn || is_txn(step.txn)) &&
         (!is_about_two || is_txn(step.other) || (is_about_first && beginning_.is_open())) &&
         (!is_about_versions || (is_row(step.row) && step.mop < history_.ops(step.txn).size()));
}

}  // namespace elapid::certify
