#include <algorithm>
#include <span>
#include <vector>

#include "engine/certify/rows/rows_beginning.h"
#include "engine/certify/rows/rows_cycle_class.h"
#include "engine/certify/rows/rows_effects.h"
#include "engine/certify/rows/rows_findings.h"
#include "engine/certify/rows/rows_order.h"
#include "engine/certify/rows/rows_proof.h"
#include "engine/rows/rows.h"

namespace elapid {

using rows::RowOp;
using rows::ShownRow;

namespace {

/// Operations that found a state of one row that no effective transaction can have left.
class DirtyFindings {
 public:
  DirtyFindings(const History& history, Model model)
      : history_(history),
        rows_(*history.info().rows),
        effects_(history, false, model, certify::RowsBeginning(history).any_row()),
        findings_(history) {}

  /// G1a or G1b if an aborted transaction or an intermediate state made the version; else a garbage
  /// read of a row that it was shown. Where the step leaves choices, it is one only if no
  /// transaction left some column so.
  [[nodiscard]] std::optional<AnomalyType> type(const RowsProofStep& step) const {
    if (effects_.flaw() || (step.row.is_none() && step.causes.empty()) ||
        step.mop >= history_.ops(step.txn).size()) {
      return std::nullopt;
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const KeyId row = step.row.is_none() ? step.causes.front().row : step.row;
    if (op.finds_unnamed() || effects_.carried_out(step.txn, step.mop, row, {}).maybe != 0 ||
        may_be_left(step.txn, row, [&](const KnownRow& left) {
          return !findings_.is_impossible(op, row, left);
        })) {
      return std::nullopt;
    }
    return is_made(step.txn, op, row, true)    ? std::optional(AnomalyType::kG1a)
           : is_made(step.txn, op, row, false) ? std::optional(AnomalyType::kG1b)
           : is_garbage(step, op, row)         ? std::optional(AnomalyType::kGarbageRead)
                                               : std::nullopt;
  }

  /// Whether another transaction than the initial one may write the row, and does not come after
  /// the reader by sessions or real time.
  [[nodiscard]] bool may_be_changed(Model model, TxnId reader, KeyId row) const {
    const certify::RowsOrder given(history_, order_level(model).value_or(OrderLevel()));
    return std::ranges::any_of(effects_.writers_of(row), [&](TxnId other) {
      const std::size_t all = history_.ops(other).size();
      return other != reader && other != history_.info().initial_txn &&
             effects_.carried_out(other, all, row, {}).maybe != 0 &&
             !given.precedes({reader, true}, {other, true});
    });
  }

 private:
  using KnownRow = certify::KnownRow;

  /// Whether `is` holds for the first state of the row, or for a state that another transaction
  /// leaves.
  template <class Is>
  [[nodiscard]] bool may_be_left(TxnId reader, KeyId row, Is is) const {
    if (is(effects_.first_version(row))) {
      return true;
    }
    const std::vector<TxnId> writers = effects_.writers_of(row);
    return std::ranges::any_of(writers, [&](TxnId writer) {
      return writer != reader && is(effects_.left_by(writer, row));
    });
  }

  [[nodiscard]] const ShownRow* shown(const RowOp& op, KeyId row) const {
    const std::span<const ShownRow> all = rows_.shown(op);
    const auto found = std::ranges::find(all, row, &ShownRow::row);
    return found == all.end() ? nullptr : &*found;
  }

  /// Whether another transaction ever made the row as it was found.
  [[nodiscard]] bool is_made(TxnId reader, const RowOp& op, KeyId row, bool by_aborted) const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (txn == reader || (history_.status(txn) == TxnStatus::kAborted) != by_aborted) {
        continue;
      }
      for (std::size_t count = 1; count <= history_.ops(txn).size(); ++count) {
        const certify::CarriedOut now = effects_.carried_out(txn, count, row, {});
        if (now.sure != 0 && is_what_was_found(op, row, now.row)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether what is known of the row is part of what was found, and nothing else.
  [[nodiscard]] bool is_what_was_found(const RowOp& op, KeyId row, const KnownRow& known) const {
    if (findings_.is_impossible(op, row, known)) {
      return false;
    }
    const ShownRow* seen = shown(op, row);
    if (seen != nullptr && op.known == rows::Known::kVersions) {
      return known.version.has_value();
    }
    const std::span<const rows::Field> fields =
        seen == nullptr ? std::span<const rows::Field>() : rows_.fields(*seen);
    if (!fields.empty()) {
      return std::ranges::any_of(
          fields, [&](const rows::Field& field) { return !known.column(field.column).empty(); });
    }
    return op.has_predicate()
               ? certify::matches(history_, op, row, known) ==
                     (seen == nullptr ? certify::Certain::kNo : certify::Certain::kYes)
               : known.exists.has_value();
  }

  /// Whether the operation was shown what the parts left by all transactions cannot make together.
  /// A step without choices proves that by itself.
  [[nodiscard]] bool is_garbage(const RowsProofStep& step, const RowOp& op, KeyId row) const {
    return shown(op, row) != nullptr &&
           (step.clause.empty() || findings_.is_impossible(op, row, left_by_any(step.txn, row)));
  }

  /// A row whose columns hold their initial values, or values that any other transaction left.
  [[nodiscard]] KnownRow left_by_any(TxnId reader, KeyId row) const {
    std::vector<KnownRow> all = {effects_.first_version(row)};
    for (const TxnId writer : effects_.writers_of(row)) {
      if (writer != reader) {
        all.push_back(effects_.left_by(writer, row));
      }
    }
    KnownRow any;
    for (std::uint32_t column = 0; column < rows_.column_count(); ++column) {
      std::vector<ValueId>& values = any.columns[rows::ColumnId{column}];
      for (const KnownRow& one : all) {
        const std::vector<ValueId> held = one.column(rows::ColumnId{column});
        if (held.empty()) {
          values.clear();
          break;
        }
        values.insert(values.end(), held.begin(), held.end());
      }
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    return any;
  }

  const History& history_;
  const rows::Rows& rows_;
  certify::RowsEffects effects_;
  certify::RowsFindings findings_;
};

bool is_fact(const RowsProofStep& step) {
  return step.reason == RowsProofStep::Reason::kFound ||
         step.reason == RowsProofStep::Reason::kVersions;
}

/// Two transactions that read a row, or at the serializable levels one column of it, before the
/// other one wrote it, and both wrote it.
class LostUpdate {
 public:
  LostUpdate(const History& history, const RowsProofEvidence& evidence,
             const std::vector<RowsCycleEdge>& cycle, const certify::RowsStepBases& bases)
      : history_(history),
        rows_(*history.info().rows),
        evidence_(evidence),
        cycle_(cycle),
        bases_(bases) {}

  [[nodiscard]] bool is_shown() const {
    if (cycle_.size() != 2 || cycle_[0].shown_by == nullptr || cycle_[1].shown_by == nullptr) {
      return false;
    }
    const RowsProofStep* first = cycle_[0].shown_by;
    const RowsProofStep* second = cycle_[1].shown_by;
    if (is_anti(cycle_[0]) && is_anti(cycle_[1])) {
      return is_alone(*first) && is_alone(*second) && !first->by_predicate &&
             !second->by_predicate && reads(*first) && reads(*second) &&
             std::ranges::any_of(first->causes, [&](const LastWriter& cause) {
               return is_missed(*first, cause, second->txn) &&
                      std::ranges::any_of(second->causes, [&](const LastWriter& other) {
                        return is_missed(*second, other, first->txn) && other.row == cause.row &&
                               other.part == cause.part;
                      });
             });
    }
    const RowsProofStep* overlap = is_anti(cycle_[0]) ? second : first;
    return overlap->reason == RowsProofStep::Reason::kOverlap &&
           misses(overlap->txn, overlap->other, overlap->row) &&
           misses(overlap->other, overlap->txn, overlap->row);
  }

 private:
  [[nodiscard]] static bool is_anti(const RowsCycleEdge& edge) {
    return edge.relation == Relation::kRw;
  }

  /// Whether the one choice of the step follows from its operation, but for what others read.
  [[nodiscard]] bool is_alone(const RowsProofStep& step) const {
    const certify::StepBasis basis = bases_.of(step);
    return step.clause.size() == 1 && basis.needs == certify::StepNeeds::kNothing &&
           basis.facts != certify::NeedsFacts::kAll;
  }

  [[nodiscard]] const RowOp& operation(const RowsProofStep& step) const {
    return rows_.op(history_.ops(step.txn)[step.mop]);
  }

  [[nodiscard]] bool reads(const RowsProofStep& step) const {
    const RowOp& op = operation(step);
    return op.is_read() || op.has_predicate();
  }

  [[nodiscard]] static bool is_missed(const RowsProofStep& step, const LastWriter& cause,
                                      TxnId writer) {
    return cause.writer == writer && cause.reader == step.txn;
  }

  /// Whether a step shows that the one read the row before the other wrote it.
  [[nodiscard]] bool misses(TxnId reader, TxnId writer, KeyId row) const {
    return std::ranges::any_of(evidence_.steps, [&](const RowsProofStep& step) {
      return step.reason == RowsProofStep::Reason::kFound && step.txn == reader && reads(step) &&
             is_alone(step) && step.clause.front().kind == RowsChoice::Kind::kBefore &&
             step.clause.front().first.txn == reader && step.clause.front().second.txn == writer &&
             std::ranges::any_of(step.causes, [&](const LastWriter& cause) {
               return cause.row == row && is_missed(step, cause, writer);
             });
    });
  }

  const History& history_;
  const rows::Rows& rows_;
  const RowsProofEvidence& evidence_;
  const std::vector<RowsCycleEdge>& cycle_;
  const certify::RowsStepBases& bases_;
};

/// Whether a predicate did not find the row as the initial transaction made it, and no other
/// transaction may have changed the row before.
bool misses_first_row(const History& history, Model model, const RowsProofStep& step,
                      const DirtyFindings& findings) {
  const LastWriter& cause = step.causes.front();
  const RowOp& op = history.info().rows->op(history.ops(step.txn)[step.mop]);
  const auto shown = history.info().rows->shown(op);
  const bool is_shown = std::ranges::find(shown, cause.row, &ShownRow::row) != shown.end();
  const bool lists = op.names_rows() || op.found_none();
  return step.by_predicate && lists && !is_shown && !cause.writer.is_none() &&
         cause.writer == history.info().initial_txn &&
         !findings.may_be_changed(model, step.txn, cause.row);
}

/// The class of operations that found what no transaction can have left.
std::optional<AnomalyType> class_of_findings(const History& history,
                                             const RowsProofEvidence& evidence,
                                             const std::vector<RowsCycleEdge>& cycle,
                                             const certify::RowsStepBases& bases) {
  std::vector<const RowsProofStep*> facts;
  for (const RowsProofStep& step : evidence.steps) {
    if (is_fact(step) && (step.clause.empty() || cycle.empty())) {
      facts.push_back(&step);
    }
  }
  for (const RowsCycleEdge& edge : cycle) {
    if (edge.shown_by != nullptr && is_fact(*edge.shown_by)) {
      facts.push_back(edge.shown_by);
    }
  }
  const DirtyFindings dirty(history, evidence.model);
  for (const RowsProofStep* step : facts) {
    if (const auto type = dirty.type(*step)) {
      return type;
    }
    if (step->reason == RowsProofStep::Reason::kVersions || !step->clause.empty()) {
      continue;
    }
    if (step->causes.empty()) {
      return AnomalyType::kInternal;
    }
    if (bases.of(*step).needs == certify::StepNeeds::kNothing &&
        misses_first_row(history, evidence.model, *step, dirty)) {
      return AnomalyType::kPredicateReadMiss;
    }
  }
  return std::nullopt;
}

/// Each fracture is a cycle with one anti-dependency: T2 saw T1, and an older version of a row that
/// T1 wrote.
std::optional<AnomalyType> class_of_fractures(const RowsProofEvidence& evidence) {
  std::optional<AnomalyType> type;
  for (const RowsProofStep& step : evidence.steps) {
    if (step.reason == RowsProofStep::Reason::kFractured) {
      type = step.by_predicate || type == AnomalyType::kGSingle ? AnomalyType::kGSingle
                                                                : AnomalyType::kGSingleItem;
    }
  }
  return type;
}

}  // namespace

std::optional<AnomalyType> class_of_proof(const History& history,
                                          const RowsProofEvidence& evidence) {
  const std::vector<RowsCycleEdge> cycle = plain_cycle(evidence);
  const certify::RowsStepBases bases(history, evidence, cycle);
  if (const auto type = class_of_findings(history, evidence, cycle, bases)) {
    return type;
  }
  if (const auto type = class_of_fractures(evidence)) {
    return type;
  }
  if (cycle.empty()) {
    return std::nullopt;
  }
  if (evidence.model == Model::kPl2 || evidence.model == Model::kReadAtomic) {
    return std::ranges::any_of(cycle,
                               [](const RowsCycleEdge& edge) {
                                 return edge.shown_by != nullptr && edge.relation == Relation::kWr;
                               })
               ? AnomalyType::kG1c
               : AnomalyType::kG0;
  }
  return LostUpdate(history, evidence, cycle, bases).is_shown()
             ? AnomalyType::kLostUpdate
             : certify::RowsCycleClass(history, evidence, bases).of(cycle);
}

}  // namespace elapid
