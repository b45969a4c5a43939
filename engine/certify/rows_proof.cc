#include "engine/certify/rows_proof.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "engine/certify/rows_beginning.h"
#include "engine/certify/rows_causes.h"
#include "engine/certify/rows_effects.h"
#include "engine/certify/rows_findings.h"
#include "engine/certify/rows_propagation.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

using certify::before;
using certify::has;
using certify::KnownRow;
using certify::took_effect;
using rows::RowOp;
using rows::ShownRow;

using ChoiceKind = RowsChoice::Kind;
using ProofReason = RowsProofStep::Reason;

class RowsProofCheck {
 public:
  RowsProofCheck(const History& history, OrderLevel level, const RowsProofEvidence& evidence)
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        has_two_events_(has_two_events(level.visibility)),
        evidence_(evidence),
        beginning_(history),
        effects_(history, has_two_events_, evidence.model, beginning_.any_row()),
        findings_(history),
        causes_(history, level, effects_, beginning_) {}

  std::optional<std::string> check() {
    if (!rows_.names_all_rows()) {
      return "more rows may have existed before than can be named";
    }
    if (auto flaw = effects_.flaw()) {
      return flaw;
    }
    for (std::size_t i = 0; i < evidence_.steps.size(); ++i) {
      const RowsProofStep& step = evidence_.steps[i];
      const char* flaw = is_understood(step) ? flaw_of(step) : "it names what does not exist";
      if (flaw != nullptr) {
        return "step " + std::to_string(i + 1) + " of the proof does not follow: " + flaw;
      }
      proved_.add(step.clause);
      causes_.add_proved(step.clause);
    }
    const bool is_whole = !evidence_.steps.empty() && evidence_.steps.back().clause.empty();
    return is_whole ? std::nullopt
                    : std::optional<std::string>("the proof does not end in a contradiction");
  }

 private:
  [[nodiscard]] bool is_event(OrderEvent event) const {
    return event.txn.index() < history_.txn_count() &&
           history_.status(event.txn) != TxnStatus::kAborted &&
           (event.is_commit || has_two_events_);
  }

  [[nodiscard]] bool is_txn(TxnId txn) const { return is_event({txn, true}); }

  [[nodiscard]] bool is_row(KeyId row) const {
    return row.index() < history_.key_count() && !rows_.table(row).is_none();
  }

  [[nodiscard]] bool is_part(std::uint32_t part) const {
    return part < kFirstColumn + rows_.column_count();
  }

  /// Versions are those that transactions left, and what an open universe began with.
  [[nodiscard]] bool is_txn_or_first(TxnId txn) const {
    return txn.is_none() ? beginning_.is_open() : is_txn(txn);
  }

  [[nodiscard]] bool is_understood(const RowsProofStep& step) const {
    const auto is_choice = [&](const RowsChoice& choice) {
      switch (choice.kind) {
        case ChoiceKind::kBefore:
          return is_event(choice.first) && is_event(choice.second) && choice.holds &&
                 choice.first != choice.second;
        case ChoiceKind::kConcerned:
          return is_event(choice.first) && is_txn_or_first(choice.middle) && is_row(choice.row) &&
                 choice.mop < history_.ops(choice.first.txn).size();
        case ChoiceKind::kAtFirst:
          return beginning_.is_open() && is_row(choice.row) && is_part(choice.part) &&
                 choice.part != kRowVersion && !choice.values.empty() &&
                 (choice.part != kRowExistence ||
                  choice.values == std::vector{ValueId::integer(1)});
        case ChoiceKind::kBetween:
          return (choice.first.txn.is_none() || is_event(choice.first)) &&
                 is_event(choice.second) && is_txn(choice.middle);
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
        step.reason == ProofReason::kVersions || step.reason == ProofReason::kVersion;
    const bool is_about_txn = is_about_versions || step.reason == ProofReason::kFound ||
                              step.reason == ProofReason::kOverlap;
    const bool is_about_two =
        step.reason == ProofReason::kOverlap || step.reason == ProofReason::kVersion;
    return has_places && has_findings && std::ranges::all_of(step.clause, is_choice) &&
           (!is_about_txn || is_txn(step.txn)) &&
           (!is_about_two || is_txn(step.other) || (is_about_first && beginning_.is_open())) &&
           (!is_about_versions || (is_row(step.row) && step.mop < history_.ops(step.txn).size()));
  }

  [[nodiscard]] const char* flaw_of(const RowsProofStep& step) {
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
        return beginning_.names_all_kinds(step) ? nullptr
                                                : "the column may have held something else";
      case ProofReason::kVersions:
        return flaw_of_versions(step);
      case ProofReason::kVersion:
        return flaw_of_version(step);
      default:
        return proved_.is_derived(step.clause) ? nullptr : "earlier steps do not force it";
    }
  }

  const char* flaw_of_overlap(const RowsProofStep& step) const {
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

  const char* flaw_of_cycle(const RowsProofStep& step) const {
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

  const char* flaw_of_meaning(const RowsProofStep& step) const {
    for (const RowsChoice& choice : step.clause) {
      if (choice.kind == ChoiceKind::kBetween && !choice.holds &&
          (has(step, took_effect(choice.middle, true)) ||
           has(step, before({choice.middle, true}, choice.second)) ||
           (!choice.first.txn.is_none() &&
            has(step, before(choice.first, {choice.middle, true}))))) {
        return nullptr;
      }
      if (choice.kind == ChoiceKind::kConcerned && !choice.holds && !choice.middle.is_none() &&
          (has(step, took_effect(choice.middle, true)) ||
           has(step, before({choice.middle, true}, choice.first)))) {
        return nullptr;
      }
    }
    return beginning_.is_meant(step) ? nullptr : "that is not what the choice means";
  }

  /// With all causes the operation is impossible; and the clause names all ways in which one of
  /// them was not so.
  const char* flaw_of_found(const RowsProofStep& step) const {
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
    if (effects_.may_be_old(op) && !concerns_newest(step, op, keys)) {
      return "at this level the operation may have found older versions";
    }
    const auto known = [&](KeyId key) {
      return effects_.carried_out(step.txn, step.mop, key, causes_.before_txn(step, step.txn, key))
          .row;
    };
    const bool is_impossible_so =
        std::ranges::any_of(
            keys, [&](KeyId key) { return findings_.is_impossible(op, key, known(key)); }) ||
        (!effects_.is_repeatable() && findings_.is_miscounted(op, known));
    if (op.has_predicate() != step.by_predicate || !is_impossible_so) {
      return "the operation may have found what it did";
    }
    if (!causes_.leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    // One of the causes may have been any of several, as long as all others were as they are said
    // to have been.
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
              return findings_.is_impossible(
                  op, cause.row,
                  effects_.carried_out(step.txn, step.mop, cause.row, std::move(row)).row);
            });
      };
      if (const char* flaw = causes_.flaw_of_cause(step, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  /// Whether the operation concerns what the rows are where its transaction reads, at repeatable
  /// read: the transaction has written them itself, or the operation changes one, which must exist.
  [[nodiscard]] bool concerns_newest(const RowsProofStep& step, const RowOp& op,
                                     const std::set<KeyId>& keys) const {
    const auto is_own = [&](KeyId key) {
      return effects_.carried_out(step.txn, step.mop, key, {}).sure != 0;
    };
    const auto is_untouched = [&](KeyId key) {  // and nothing is known of it
      return step.causes.empty() && effects_.carried_out(step.txn, step.mop, key, {}).maybe == 0;
    };
    if (std::ranges::all_of(keys, [&](KeyId key) { return is_own(key) || is_untouched(key); })) {
      return true;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    return !op.is_read() && step.causes.size() == 1 && step.causes.front().part == kRowExistence &&
           std::ranges::find(shown, step.causes.front().row, &ShownRow::row) != shown.end();
  }

  // Repeatable read: what a predicate may have concerned.

  /// Whether the operation is one that may concern any version that the row had.
  [[nodiscard]] bool concerns_any(const RowsProofStep& step) const {
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    return effects_.may_be_old(op) && step.by_predicate == op.has_predicate() &&
           effects_.carried_out(step.txn, step.mop, step.row, {}).maybe == 0;
  }

  [[nodiscard]] static RowsChoice concerned(const RowsProofStep& step, TxnId writer, bool holds) {
    return {.kind = ChoiceKind::kConcerned,
            .holds = holds,
            .first = {step.txn, true},
            .middle = writer,
            .row = step.row,
            .mop = step.mop};
  }

  [[nodiscard]] bool is_initial(TxnId txn) const {
    return txn == history_.info().initial_txn && history_.committed(txn);
  }

  /// Whether the operation may have concerned what there was before all transactions, or, in a
  /// closed universe, what the initial one left.
  [[nodiscard]] bool may_be_first(const RowsProofStep& step, const RowOp& op) const {
    if (!beginning_.is_open()) {
      return !findings_.is_impossible(op, step.row, effects_.first_version(step.row));
    }
    const TxnId initial = history_.info().initial_txn;
    const bool is_overwritten =
        !initial.is_none() && is_initial(initial) && initial != step.txn &&
        effects_.carried_out(initial, history_.ops(initial).size(), step.row, {}).sure != 0;
    return !is_overwritten && !findings_.is_impossible(op, step.row, beginning_.any_row());
  }

  /// Of all that may have left the row as it was found, the clause leaves out none.
  const char* flaw_of_versions(const RowsProofStep& step) const {
    if (!concerns_any(step)) {
      return "the operation concerns what is there";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    if (may_be_first(step, op) && !has(step, concerned(step, TxnId::none(), true))) {
      return "the operation may have concerned the first version of the row";
    }
    if (!causes_.leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    for (const TxnId writer : effects_.writers_of(step.row)) {
      const bool is_first = !beginning_.is_open() && is_initial(writer);
      if (writer == step.txn || is_first || causes_.precedes(step.txn, writer) ||
          findings_.is_impossible(op, step.row, effects_.left_by(writer, step.row)) ||
          has(step, concerned(step, writer, true)) ||
          has(step, before({writer, true}, {step.txn, true})) ||
          has(step, took_effect(writer, true))) {
        continue;
      }
      return "the operation may have concerned another version";
    }
    return nullptr;
  }

  /// With all causes the operation cannot have concerned what `other` left; and the clause names
  /// all ways in which one of them was not so.
  const char* flaw_of_version(const RowsProofStep& step) const {
    if (!concerns_any(step) || step.other == step.txn) {
      return "the operation concerns what is there";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    if (step.other.is_none()) {
      const KnownRow first = beginning_.assumed_row(step, step.row);
      return has(step, concerned(step, step.other, false)) &&
                     findings_.is_impossible(op, step.row, first)
                 ? nullptr
                 : "the operation may have concerned the first version of the row";
    }
    const bool is_of_row = std::ranges::all_of(step.causes, [&](const LastWriter& cause) {
      return cause.row == step.row && cause.reader == step.other;
    });
    if (!is_of_row ||
        !findings_.is_impossible(op, step.row, causes_.after(step, step.other, step.row).row)) {
      return "the operation may have concerned the version";
    }
    if (!has(step, concerned(step, step.other, false))) {
      return "nothing says that it concerned the version";
    }
    for (const LastWriter& cause : step.causes) {
      const auto is_no_better = [&](TxnId other) {
        return other == step.txn ||  // which comes later
               (step.causes.size() == 1 &&
                std::ranges::all_of(
                    effects_.may_leave(other, step.row, cause.part), [&](const KnownRow& made) {
                      const std::size_t all = history_.ops(step.other).size();
                      return findings_.is_impossible(
                          op, step.row, effects_.carried_out(step.other, all, step.row, made).row);
                    }));
      };
      if (const char* flaw = causes_.flaw_of_cause(step, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  void each_own_row(const RowsProofStep& step, std::set<KeyId>& keys) const {
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

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  bool has_two_events_;
  const RowsProofEvidence& evidence_;
  certify::RowsBeginning beginning_;
  certify::RowsEffects effects_;
  certify::RowsFindings findings_;
  certify::RowsCauses causes_;
  certify::RowsPropagation proved_;
};

}  // namespace

std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                            const RowsProofEvidence& evidence) {
  // Read committed: in series, with reads of whatever was there.
  const auto level = evidence.model == Model::kPl2
                         ? std::optional(OrderLevel{Visibility::kSerial, false, false})
                         : order_level(evidence.model);
  const bool is_decided = level && (level->visibility == Visibility::kSerial ||
                                    level->visibility == Visibility::kSnapshot);
  if (!is_decided || !history.info().rows) {
    return "no order of transactions on rows defines the level";
  }
  if (auto flaw = RowsProofCheck(history, *level, evidence).check()) {
    return flaw;
  }
  const auto actual = class_of_proof(history, evidence);
  const bool is_exists_type = name(type).find("cycle-exists") != std::string_view::npos;
  return is_exists_type || actual == type
             ? std::nullopt
             : std::optional<std::string>("the cycle is of another class");
}

}  // namespace elapid
