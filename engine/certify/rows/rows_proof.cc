#include "engine/certify/rows/rows_proof.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/proof_loop.h"
#include "engine/certify/patience.h"
#include "engine/certify/rows/rows_beginning.h"
#include "engine/certify/rows/rows_causes.h"
#include "engine/certify/rows/rows_choices.h"
#include "engine/certify/rows/rows_effects.h"
#include "engine/certify/rows/rows_findings.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

using certify::before;
using certify::CarriedOut;
using certify::has;
using certify::has_no_keys;
using certify::KnownRow;
using certify::took_effect;
using rows::RowOp;
using rows::RowOpKind;
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
    certify::Patience patience(never_stops_);
    return certify::check_steps(*this, evidence_.steps, patience);
  }

  // The axioms (proof_loop.h).

  void begin() {}  // one proof is checked

  [[nodiscard]] certify::RowsChoices& choices() { return choices_; }

  [[nodiscard]] certify::Flaw open(const RowsProofStep& step) const {
    return is_understood(step) ? certify::Flaw() : "it names what does not exist";
  }

  [[nodiscard]] certify::Flaw check(const RowsProofStep& step) const {
    const char* flaw = flaw_of(step);
    return flaw == nullptr ? certify::Flaw() : flaw;
  }

  void prove(const RowsProofStep& step, std::span<const certify::Literal> clause) {
    choices_.prove(clause);
    causes_.add_proved(step.clause);
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

  [[nodiscard]] const RowOp* operation(TxnId txn, std::size_t mop) const {
    const std::span<const Op> ops = history_.ops(txn);
    return mop < ops.size() ? &rows_.op(ops[mop]) : nullptr;
  }

  /// Whether the operation may find rows as the choice says, or not.
  [[nodiscard]] bool is_way(const RowsChoice& choice) const {
    const RowOp* op = operation(choice.first.txn, choice.mop);
    const bool may_miss = op != nullptr && op->kind == RowOpKind::kDelete &&
                          op->row == choice.row && choice.kind == ChoiceKind::kFound;
    if (op == nullptr || !(may_miss || has_no_keys(*op))) {
      return false;
    }
    return choice.as >= kAsMissed ||
           (op->known == rows::Known::kBag && choice.as < rows_.shown(*op).size());
  }

  static bool counts_rows(const RowsProofStep& step) {
    return step.reason == ProofReason::kAtLeast || step.reason == ProofReason::kAtMost;
  }

  [[nodiscard]] bool is_understood(const RowsProofStep& step) const {
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
    const bool is_about_versions = step.reason == ProofReason::kVersions ||
                                   step.reason == ProofReason::kVersion ||
                                   step.reason == ProofReason::kWritten;
    const bool is_about_txn = is_about_versions || step.reason == ProofReason::kFound ||
                              step.reason == ProofReason::kOverlap || counts_rows(step);
    const bool is_about_two =
        step.reason == ProofReason::kOverlap || step.reason == ProofReason::kVersion;
    return has_places && has_findings && std::ranges::all_of(step.clause, is_choice) &&
           (!is_about_txn || is_txn(step.txn)) &&
           (!is_about_two || is_txn(step.other) || (is_about_first && beginning_.is_open())) &&
           (!is_about_versions || (is_row(step.row) && step.mop < history_.ops(step.txn).size()));
  }

  [[nodiscard]] const char* flaw_of(const RowsProofStep& step) const {
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
      case ProofReason::kWritten:
        return flaw_of_written(step);
      case ProofReason::kAtLeast:
      case ProofReason::kAtMost:
        return flaw_of_count(step);
      default:
        return certify::kDoesNotFollow;
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
      if (choice.kind == ChoiceKind::kFound && !choice.holds &&
          has(step, found(choice.first.txn, choice.mop, choice.row, kAsFound))) {
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
              return is_impossible(step, op, cause.row,
                                   carried_out(step, cause.row, std::move(row)));
            });
      };
      if (const char* flaw = causes_.flaw_of_cause(step, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  /// The row before the step's operation, as its transaction sees it.
  [[nodiscard]] CarriedOut carried_out(const RowsProofStep& step, KeyId key,
                                       KnownRow before) const {
    return effects_.carried_out(step.txn, step.mop, key, std::move(before), &step);
  }

  /// Whether the operation cannot have found what it did, were the row so before it. At repeatable
  /// read, unless its transaction has written the row itself, it may have concerned an older
  /// version; but what it writes must be there.
  [[nodiscard]] bool is_impossible(const RowsProofStep& step, const RowOp& op, KeyId key,
                                   const CarriedOut& now) const {
    const std::uint32_t as = assumed_way(step, op, key);
    if (!effects_.may_be_old(op) || now.sure != 0) {
      return findings_.is_impossible(op, key, now.row, as);
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    const bool is_written =
        !op.is_read() &&
        (as == kAsFound || (as == kAsRecorded && certify::is_listed(op) &&
                            std::ranges::find(shown, key, &ShownRow::row) != shown.end()));
    return findings_.is_impossible(op, key, {}, as) ||
           (is_written && !now.row.exists.value_or(true));
  }

  /// How the step's operation found the row, if no choice of the clause holds.
  [[nodiscard]] static std::uint32_t assumed_way(const RowsProofStep& step, const RowOp& op,
                                                 KeyId row) {
    if (op.has_predicate() ? !has_no_keys(op) : op.kind != RowOpKind::kDelete) {
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

  // Repeatable read: what a predicate may have concerned.

  /// Whether the operation is one that may concern any version that a row had.
  [[nodiscard]] bool concerns_any(const RowsProofStep& step) const {
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    return effects_.may_be_old(op) && step.by_predicate == op.has_predicate();
  }

  [[nodiscard]] static RowsChoice concerned(const RowsProofStep& step, TxnId writer, bool holds,
                                            std::uint32_t as) {
    return {.kind = ChoiceKind::kConcerned,
            .holds = holds,
            .first = {step.txn, true},
            .middle = writer,
            .row = step.row,
            .mop = step.mop,
            .as = as};
  }

  [[nodiscard]] static RowsChoice found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as,
                                        bool holds = true) {
    return {.kind = ChoiceKind::kFound,
            .holds = holds,
            .first = {txn, true},
            .row = row,
            .mop = mop,
            .as = as};
  }

  [[nodiscard]] bool is_initial(TxnId txn) const {
    return txn == history_.info().initial_txn && history_.committed(txn);
  }

  /// Whether the operation may have concerned what there was before all transactions, or, in a
  /// closed universe, what the initial one left.
  [[nodiscard]] bool may_be_first(const RowOp& op, TxnId txn, KeyId row, std::uint32_t as) const {
    if (!beginning_.is_open()) {
      return !findings_.is_impossible(op, row, effects_.first_version(row), as);
    }
    const TxnId initial = history_.info().initial_txn;
    const bool is_overwritten =
        !initial.is_none() && is_initial(initial) && initial != txn &&
        effects_.carried_out(initial, history_.ops(initial).size(), row, {}).sure != 0;
    return !is_overwritten && !findings_.is_impossible(op, row, beginning_.any_row(), as);
  }

  /// Whether it may have concerned what the transaction left.
  [[nodiscard]] bool may_be_left_by(TxnId writer, const RowOp& op, TxnId txn, KeyId row,
                                    std::uint32_t as) const {
    const bool is_first = !beginning_.is_open() && is_initial(writer);
    const bool may_write =
        effects_.carried_out(writer, history_.ops(writer).size(), row, {}).maybe != 0;
    return writer != txn && !is_first && may_write && !causes_.precedes(txn, writer) &&
           !findings_.is_impossible(op, row, effects_.left_by(writer, row), as) &&
           may_have_made(writer, op, row, as);
  }

  /// The same of what the transaction made of the row, if it wrote it: if it did not, another one
  /// left the row so.
  [[nodiscard]] bool may_have_made(TxnId writer, const RowOp& op, KeyId row,
                                   std::uint32_t as) const {
    for (std::uint32_t part = 0; is_part(part); ++part) {
      if (!effects_.writes_with(writer, row, kRowVersion, part)) {
        continue;
      }
      const std::vector<KnownRow> left = effects_.may_leave(writer, row, part);
      const bool may_be = std::ranges::any_of(
          left, [&](const KnownRow& made) { return !findings_.is_impossible(op, row, made, as); });
      if (!may_be) {
        return false;
      }
    }
    return true;
  }

  /// Of all that may have left the row as it was found, the clause leaves out none.
  const char* flaw_of_versions(const RowsProofStep& step) const {
    if (!concerns_any(step) || carried_out(step, step.row, {}).maybe != 0) {
      return "the operation concerns what is there";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const std::uint32_t as = assumed_way(step, op, step.row);
    if (may_be_first(op, step.txn, step.row, as) &&
        !has(step, concerned(step, TxnId::none(), true, as))) {
      return "the operation may have concerned the first version of the row";
    }
    if (!causes_.leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    for (const TxnId writer : effects_.writers_of(step.row)) {
      if (may_be_left_by(writer, op, step.txn, step.row, as) &&
          !has(step, concerned(step, writer, true, as)) &&
          !has(step, before({writer, true}, {step.txn, true})) &&
          !has(step, took_effect(writer, true))) {
        return "the operation may have concerned another version";
      }
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
    const auto choice = std::ranges::find_if(step.clause, [&](const RowsChoice& one) {
      return one == concerned(step, step.other, false, one.as);
    });
    if (choice == step.clause.end()) {
      return "nothing says that it concerned the version";
    }
    const std::uint32_t as = choice->as;
    const KnownRow row = step.other.is_none() ? beginning_.assumed_row(step, step.row)
                                              : causes_.after(step, step.other, step.row).row;
    if (!findings_.is_impossible(op, step.row, row, as)) {
      return "the operation may have concerned the version";
    }
    if (step.other.is_none()) {
      return nullptr;
    }
    for (const LastWriter& cause : step.causes) {
      const auto is_no_better = [&](TxnId other) {
        if (cause.reader != step.other || cause.row != step.row) {
          return false;
        }
        return other == step.txn ||  // which comes later
               (step.causes.size() == 1 &&
                std::ranges::all_of(
                    effects_.may_leave(other, step.row, cause.part), [&](const KnownRow& made) {
                      const std::size_t all = history_.ops(step.other).size();
                      return findings_.is_impossible(
                          op, step.row,
                          effects_.carried_out(step.other, all, step.row, made, &step).row, as);
                    }));
      };
      if (const char* flaw = causes_.flaw_of_cause(step, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  /// Some transaction wrote, before the operation, what it was shown of the row. The clause names
  /// every transaction that may have written it.
  const char* flaw_of_written(const RowsProofStep& step) const {
    if (!concerns_any(step) || carried_out(step, step.row, {}).maybe != 0 || beginning_.is_open()) {
      return "the operation concerns what is there";
    }
    if (!causes_.leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const std::span<const ShownRow> all = rows_.shown(op);
    const auto shown = std::ranges::find(all, step.row, &ShownRow::row);
    if (shown == all.end()) {
      return "the operation was not shown the row";
    }
    const std::span<const rows::Field> fields = rows_.fields(*shown);
    const bool names_all =
        (op.known == rows::Known::kVersions && names_writers(step, kRowVersion, shown->version)) ||
        std::ranges::any_of(fields, [&](const rows::Field& field) {
          return names_writers(step, kFirstColumn + field.column.value, field.value);
        });
    return names_all ? nullptr : "another operation may have written it";
  }

  /// Whether the clause names each operation that may have made the part of the row this.
  [[nodiscard]] bool names_writers(const RowsProofStep& step, std::uint32_t part,
                                   ValueId value) const {
    const auto is_this = [&](const KnownRow& row) {
      return part == kRowVersion
                 ? !row.version || *row.version == value
                 : !is_other(row.column(rows::ColumnId{part - kFirstColumn}), value);
    };
    if (value.is_nil() || is_this(effects_.first_version(step.row))) {
      return false;
    }
    return std::ranges::all_of(effects_.writers_of(step.row), [&](TxnId writer) {
      if (writer == step.txn || causes_.precedes(step.txn, writer) ||
          has(step, before({writer, true}, {step.txn, true})) ||
          has(step, took_effect(writer, true))) {
        return true;
      }
      const std::span<const Op> ops = history_.ops(writer);
      for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
        const auto made = effects_.made_by(rows_.op(ops[mop]), step.row);
        if (made && is_this(*made) && !has(step, found(writer, mop, step.row, kAsFound))) {
          return false;
        }
      }
      return true;
    });
  }

  /// Whether a column that holds one of these, or if there are none anything, holds another value.
  static bool is_other(const std::vector<ValueId>& held, ValueId value) {
    return !held.empty() && std::ranges::find(held, value) == held.end();
  }

  // Repeatable read: how many rows there were.

  /// Whether the step's operation never found the row so, as its writers tell.
  [[nodiscard]] bool is_never(const RowsProofStep& step, const RowOp& op, KeyId row,
                              std::uint32_t as) const {
    return effects_.carried_out(step.txn, step.mop, row, {}).maybe == 0 &&
           !may_be_first(op, step.txn, row, as) &&
           std::ranges::none_of(effects_.writers_of(row), [&](TxnId writer) {
             return may_be_left_by(writer, op, step.txn, row, as);
           });
  }

  /// The contents of a bag, each as the first row of it that has them; of other results one.
  [[nodiscard]] std::vector<std::uint32_t> contents(const RowOp& op) const {
    if (op.known != rows::Known::kBag) {
      return {kAsFound};
    }
    std::vector<std::uint32_t> all;
    for (std::uint32_t item = 0; item < rows_.shown(op).size(); ++item) {
      if (first_alike(op, item) == item) {
        all.push_back(item);
      }
    }
    return all;
  }

  [[nodiscard]] std::uint32_t first_alike(const RowOp& op, std::uint32_t item) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    std::uint32_t first = 0;
    while (!std::ranges::equal(rows_.fields(shown[first]), rows_.fields(shown[item]))) {
      ++first;
    }
    return first;
  }

  /// How many rows the operation found that are like the items; nothing where it does not tell, or
  /// they are none of its result.
  [[nodiscard]] std::optional<std::size_t> number_found(
      const RowOp& op, std::span<const std::uint32_t> items) const {
    const auto size = static_cast<std::uint32_t>(rows_.shown(op).size());
    if (op.known != rows::Known::kBag) {
      return items.empty() ? std::optional<std::size_t>(op.count) : std::nullopt;
    }
    std::size_t number = 0;
    for (std::uint32_t item = 0; item < size; ++item) {
      number += std::ranges::find(items, first_alike(op, item)) != items.end() ? 1U : 0U;
    }
    const bool are_contents = std::ranges::all_of(
        items, [&](std::uint32_t item) { return item < size && first_alike(op, item) == item; });
    return are_contents ? std::optional(number) : std::nullopt;
  }

  const char* flaw_of_count(const RowsProofStep& step) const {
    const RowOp* op = operation(step.txn, step.mop);
    if (op == nullptr || !effects_.is_repeatable() || !has_no_keys(*op) ||
        op->known == rows::Known::kNothing) {
      return "the operation does not say how many rows it found";
    }
    const auto number = number_found(*op, step.items);
    if (!number) {
      return "the operation did not find such rows";
    }
    if (!causes_.leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    std::vector<std::uint32_t> inside =
        op->known == rows::Known::kBag ? step.items : std::vector{kAsFound};
    if (step.reason == ProofReason::kAtLeast) {
      return may_be_found(step, *op, inside) < *number ? nullptr : "as many rows may be like that";
    }
    const std::size_t all = op->known == rows::Known::kBag ? rows_.shown(*op).size() : op->count;
    const bool is_all = op->known != rows::Known::kAny && (op->first == 0 || all < op->first);
    return is_all && must_be_found(step, *op, inside) > *number ? nullptr
                                                                : "no more rows must be like that";
  }

  /// Rows that may be found in one of the ways, although no choice of the clause holds.
  [[nodiscard]] std::size_t may_be_found(const RowsProofStep& step, const RowOp& op,
                                         std::span<const std::uint32_t> ways) const {
    std::size_t number = 0;
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      const bool may_be =
          rows_.table(row) == op.table && std::ranges::any_of(ways, [&](std::uint32_t as) {
            return !has(step, found(step.txn, step.mop, row, as)) && !is_never(step, op, row, as);
          });
      number += may_be ? 1U : 0U;
    }
    return number;
  }

  /// Rows that are found in one of the ways, if no choice of the clause holds.
  [[nodiscard]] std::size_t must_be_found(const RowsProofStep& step, const RowOp& op,
                                          std::span<const std::uint32_t> ways) const {
    std::set<KeyId> rows;
    for (const RowsChoice& choice : step.clause) {
      if (choice == found(step.txn, step.mop, choice.row, kAsFound, false)) {
        rows.insert(choice.row);
      }
    }
    const std::vector<std::uint32_t> all = contents(op);
    return static_cast<std::size_t>(std::ranges::count_if(rows, [&](KeyId row) {
      return std::ranges::all_of(all, [&](std::uint32_t as) {
        return std::ranges::find(ways, as) != ways.end() ||
               has(step, found(step.txn, step.mop, row, as)) || is_never(step, op, row, as);
      });
    }));
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
  certify::RowsChoices choices_;
  const std::function<bool()> never_stops_;
};

}  // namespace

std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                            const RowsProofEvidence& evidence) {
  // Read committed: in series, with reads of whatever was there.
  const auto level = evidence.model == Model::kPl2
                         ? std::optional(OrderLevel{Visibility::kSerial, false, false})
                         : order_level(evidence.model);
  if (!level || !certify::is_level_of_rows(*level) || !history.info().rows) {
    return certify::kNoLevelOfRows;
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
