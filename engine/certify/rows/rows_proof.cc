#include "engine/certify/rows/rows_proof.h"

#include <algorithm>
#include <utility>

#include "engine/certify/kernel/proof_loop.h"
#include "engine/certify/patience.h"
#include "engine/certify/rows/rows_proof_check.h"

namespace elapid {

namespace certify {

using ChoiceKind = RowsChoice::Kind;
using ProofReason = RowsProofStep::Reason;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

std::optional<std::string> RowsProofCheck::check(const std::function<bool()>& keep_going) {
  if (!rows_.names_all_rows()) {
    return "too many rows may have existed before to name them all";
  }
  if (auto flaw = effects_.flaw()) {
    return flaw;
  }
  Patience patience(keep_going);
  return check_steps(*this, evidence_.steps, patience);
}

Flaw RowsProofCheck::check(const RowsProofStep& step) const {
  const char* flaw = flaw_of(step);
  return flaw == nullptr ? Flaw() : flaw;
}

Flaw RowsProofCheck::open(const RowsProofStep& step) const {
  return is_understood(step) ? Flaw() : "it names what does not exist";
}

void RowsProofCheck::prove(const RowsProofStep& step, std::span<const Literal> clause) {
  choices_.prove(clause);
  causes_.add_proved(step.clause);
}

const char* RowsProofCheck::flaw_of(const RowsProofStep& step) const {
  switch (step.reason) {
    case ProofReason::kFound:
      return flaw_of_found(step);
    case ProofReason::kOverlap:
      return flaw_of_overlap(step);
    case ProofReason::kCycle:
      return flaw_of_cycle(step);
    case ProofReason::kMeaning:
      return flaw_of_meaning(step);
    case ProofReason::kContents:
      return beginning_.names_all_kinds(step) ? nullptr : "the column may have held something else";
    case ProofReason::kVersions:
      return flaw_of_versions(step);
    case ProofReason::kVersion:
      return flaw_of_version(step);
    case ProofReason::kWritten:
      return flaw_of_written(step);
    case ProofReason::kFractured:
      return flaw_of_fractured(step);
    case ProofReason::kAtLeast:
    case ProofReason::kAtMost:
      return flaw_of_count(step);
    default:
      return kDoesNotFollow;
  }
}

const char* RowsProofCheck::flaw_of_overlap(const RowsProofStep& step) const {
  if (level_.visibility != Visibility::kSnapshot || step.txn == step.other) {
    return "transactions may overlap";
  }
  if (!is_row(step.row) || causes_.after(step, step.txn, step.row).sure == 0 ||
      causes_.after(step, step.other, step.row).sure == 0) {
    return "they do not both write the row";
  }
  for (const LastWriter& cause : step.causes) {
    if (const char* flaw = causes_.flaw_of_cause(step, cause, [](TxnId) { return false; })) {
      return flaw;
    }
  }
  const auto allows = [&](TxnId a, TxnId b) {
    return causes_.precedes(b, a) || has(step, before({a, true}, causes_.start(b)));
  };
  return allows(step.txn, step.other) && allows(step.other, step.txn) &&
                 causes_.leaves_out(step, step.txn) && causes_.leaves_out(step, step.other)
             ? nullptr
             : "it leaves out a way in which they do not overlap";
}

const char* RowsProofCheck::flaw_of_cycle(const RowsProofStep& step) const {
  if (step.cycle.size() < 2) {
    return "there is no cycle";
  }
  for (std::size_t i = 0; i < step.cycle.size(); ++i) {
    const OrderEvent a = step.cycle[i];
    const OrderEvent b = step.cycle[(i + 1) % step.cycle.size()];
    const bool is_own = a.txn == b.txn && !a.is_commit && b.is_commit;
    if (!is_own && !causes_.precedes(a.txn, b.txn) && !has(step, before(b, a))) {
      return "an edge of the cycle is neither given nor assumed";
    }
  }
  return nullptr;
}

const char* RowsProofCheck::flaw_of_meaning(const RowsProofStep& step) const {
  for (const RowsChoice& choice : step.clause) {
    if (choice.kind == ChoiceKind::kBetween && !choice.holds &&
        (has(step, took_effect(choice.middle, true)) ||
         has(step, before({choice.middle, true}, choice.second)) ||
         (!choice.first.txn.is_none() && has(step, before(choice.first, {choice.middle, true}))))) {
      return nullptr;
    }
    if (choice.kind == ChoiceKind::kConcerned && !choice.holds && !choice.middle.is_none() &&
        (has(step, took_effect(choice.middle, true)) ||
         has(step, before({choice.middle, true}, choice.first)))) {
      return nullptr;
    }
    if (choice.kind == ChoiceKind::kConcerned && !choice.holds && !choice.middle.is_none() &&
        evidence_.model == Model::kReadAtomic && !wrote(step, choice.middle, choice.row)) {
      return nullptr;
    }
    if (choice.kind == ChoiceKind::kFound && !choice.holds &&
        has(step, found(choice.first.txn, choice.mop, choice.row, kAsFound))) {
      return nullptr;
    }
  }
  return beginning_.is_meant(step) ? nullptr
                                   : "the clause does not follow from the meaning of its choices";
}

bool RowsProofCheck::wrote(const RowsProofStep& step, TxnId txn, KeyId row) const {
  return effects_.carried_out(txn, history_.ops(txn).size(), row, {}, &step).maybe != 0;
}

const char* RowsProofCheck::flaw_of_found(const RowsProofStep& step) const {
  const std::span<const Op> ops = history_.ops(step.txn);
  if (step.mop >= ops.size()) {
    return "the transaction has no such operation";
  }
  const RowOp& op = rows_.op(ops[step.mop]);
  std::set<KeyId> keys;
  for (const LastWriter& cause : step.causes) {
    keys.insert(cause.row);
  }
  if (step.causes.empty()) {  // its own writes tell
    each_own_row(step, keys);
  }
  for (const RowsChoice& choice : step.clause) {
    if (choice.kind == ChoiceKind::kFound && choice.first.txn == step.txn) {
      keys.insert(choice.row);
    }
  }
  const auto now = [&](KeyId key) {
    return carried_out(step, key, causes_.before_txn(step, step.txn, key));
  };
  const bool is_impossible_so =
      std::ranges::any_of(keys,
                          [&](KeyId key) { return is_impossible(step, op, key, now(key)); }) ||
      (!effects_.is_repeatable() &&
       findings_.is_miscounted(op, [&](KeyId key) { return now(key).row; }));
  if (op.has_predicate() != step.by_predicate || !is_impossible_so) {
    return "the operation may have this result";
  }
  if (!causes_.leaves_out(step, step.txn)) {
    return "the transaction may not have taken effect";
  }
  // One cause may vary: other writers may take its place, as long as all other causes are true.
  const LastWriter* varied = nullptr;
  for (const LastWriter& cause : step.causes) {
    const auto is_no_better = [&](TxnId other) {
      if (cause.reader != step.txn || (varied != nullptr && varied != &cause)) {
        return false;
      }
      varied = &cause;
      return std::ranges::all_of(
          effects_.may_leave(other, cause.row, cause.part), [&](const KnownRow& made) {
            KnownRow row = causes_.before_txn(step, step.txn, cause.row);
            put_part(row, made, cause.part);
            return is_impossible(step, op, cause.row, carried_out(step, cause.row, std::move(row)));
          });
    };
    if (const char* flaw = causes_.flaw_of_cause(step, cause, is_no_better)) {
      return flaw;
    }
  }
  return nullptr;
}

CarriedOut RowsProofCheck::carried_out(const RowsProofStep& step, KeyId key,
                                       KnownRow before) const {
  return effects_.carried_out(step.txn, step.mop, key, std::move(before), &step);
}

bool RowsProofCheck::is_impossible(const RowsProofStep& step, const RowOp& op, KeyId key,
                                   const CarriedOut& now) const {
  const std::uint32_t as = assumed_way(step, op, key);
  if (!effects_.may_be_old(op) || now.sure != 0) {
    return findings_.is_impossible(op, key, now.row, as);
  }
  const std::span<const ShownRow> shown = rows_.shown(op);
  const bool is_written =
      !op.is_read() &&
      (as == kAsFound || (as == kAsRecorded && op.names_rows() &&
                          std::ranges::find(shown, key, &ShownRow::row) != shown.end()));
  return findings_.is_impossible(op, key, {}, as) || (is_written && !now.row.exists.value_or(true));
}

std::uint32_t RowsProofCheck::assumed_way(const RowsProofStep& step, const RowOp& op, KeyId row) {
  if (op.has_predicate() ? !op.finds_unnamed() : op.kind != RowOpKind::kDelete) {
    return kAsRecorded;
  }
  std::uint32_t way = kAsRecorded;
  for (const RowsChoice& choice : step.clause) {
    const bool is_about = choice.kind == ChoiceKind::kFound && choice.first.txn == step.txn &&
                          choice.mop == step.mop && choice.row == row;
    if (is_about && !choice.holds) {
      way = std::min(way, choice.as);
    } else if (is_about && choice.as == kAsFound) {
      way = std::min(way, kAsMissed);
    }
  }
  return way;
}

void RowsProofCheck::each_own_row(const RowsProofStep& step, std::set<KeyId>& keys) const {
  for (const Op place : history_.ops(step.txn).first(step.mop + 1)) {
    const RowOp& op = rows_.op(place);
    effects_.each_written(op, [&](KeyId row) { keys.insert(row); });
    if (!op.has_predicate()) {
      keys.insert(op.row);
    }
    for (const ShownRow& shown : rows_.shown(op)) {
      keys.insert(shown.row);
    }
  }
  keys.erase(KeyId::none());
}

}  // namespace certify

std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                            const RowsProofEvidence& evidence,
                                            const std::function<bool()>& keep_going) {
  // Read committed and read atomic: in series, with reads of what was there before.
  const bool has_old_versions =
      evidence.model == Model::kPl2 || evidence.model == Model::kReadAtomic;
  const auto level = has_old_versions ? std::optional(OrderLevel{Visibility::kSerial, false, false})
                                      : order_level(evidence.model);
  if (!level || !certify::is_level_of_rows(*level) || !history.info().rows) {
    return certify::kNoLevelOfRows;
  }
  if (auto flaw = certify::RowsProofCheck(history, *level, evidence).check(keep_going)) {
    return flaw;
  }
  const auto actual = class_of_proof(history, evidence);
  const bool is_exists_type = name(type).find("cycle-exists") != std::string_view::npos;
  return is_exists_type || actual == type
             ? std::nullopt
             : std::optional<std::string>("the cycle is of another class");
}

}  // namespace elapid
