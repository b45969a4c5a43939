#include "engine/certify/rows/rows_anomaly.h"

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "engine/certify/anomalies/cycle_class.h"
#include "engine/certify/rows/rows_proof.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

using rows::RowOp;
using rows::RowOpKind;

/// A version in the order in which a row was written.
struct WrittenRow {
  TxnId txn = TxnId::none();  ///< none(): unborn
  std::int32_t mop = -1;
  ValueId value = ValueId::none();  ///< none(): unborn or dead
  bool is_final = true;             ///< its transaction does not write the row again
};

class RowsAnomalyCheck {
 public:
  explicit RowsAnomalyCheck(const History& history)
      : history_(history), rows_(*history.info().rows) {}

  std::optional<std::string> cycle(AnomalyType type, const CycleEvidence& evidence) const {
    if (evidence.steps.empty()) {
      return "a cycle without steps";
    }
    for (std::size_t i = 0; i < evidence.steps.size(); ++i) {
      const Step& next = evidence.steps[(i + 1) % evidence.steps.size()];
      const Step& step = evidence.steps[i];
      if (step.to != next.from) {
        return "a step does not lead to the one after it";
      }
      if (!holds(step)) {
        return "step " + std::to_string(i + 1) + " (" + std::string(relation_name(step.relation)) +
               ") does not follow";
      }
    }
    const AnomalyType actual = certify::class_of({&evidence.steps, 1});
    return actual == type ? std::nullopt
                          : std::optional("the cycle's steps make it " + std::string(name(actual)));
  }

  std::optional<std::string> miss(const PredicateMissEvidence& evidence) const {
    const RowOp* read = operation(evidence.reader, static_cast<std::int32_t>(evidence.mop));
    if (read == nullptr || read->kind != RowOpKind::kPredicateRead ||
        !history_.committed(evidence.reader)) {
      return "no committed transaction has this predicate read";
    }
    if (shown(*read, evidence.row)) {
      return "the row is in the result";
    }
    const std::vector<WrittenRow> versions = versions_of(evidence.row);
    const bool must_match = std::ranges::all_of(
        versions, [&](const WrittenRow& version) { return matches(*read, version.value); });
    return must_match && !versions.empty() ? std::nullopt
                                           : std::optional<std::string>(
                                                 "some version of the row "
                                                 "does not match");
  }

 private:
  [[nodiscard]] const RowOp* operation(TxnId txn, std::int32_t mop) const {
    if (txn.index() >= history_.txn_count()) {
      return nullptr;
    }
    const std::span<const Op> ops = history_.ops(txn);
    return mop >= 0 && static_cast<std::size_t>(mop) < ops.size()
               ? &rows_.op(ops[static_cast<std::size_t>(mop)])
               : nullptr;
  }

  [[nodiscard]] bool is_possible(TxnId txn) const {
    return txn.index() < history_.txn_count() && history_.has_completion(txn) &&
           history_.status(txn) != TxnStatus::kAborted;
  }

  [[nodiscard]] std::vector<WrittenRow> versions_of(KeyId row) const {
    std::vector<TxnId> txns;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (is_possible(txn)) {
        txns.push_back(txn);
      }
    }
    std::ranges::sort(txns, {}, [&](TxnId txn) { return history_.completion_id(txn); });
    std::vector<WrittenRow> versions;
    for (const TxnId txn : txns) {
      std::int32_t last = -1;
      for (std::int32_t mop = 0; const RowOp* op = operation(txn, mop); ++mop) {
        const bool puts = op->kind == RowOpKind::kInsert || op->kind == RowOpKind::kPut;
        if (op->row != row || (!puts && op->kind != RowOpKind::kDelete)) {
          continue;
        }
        if (versions.empty() && txn != history_.info().initial_txn) {
          versions.push_back({});
        }
        if (last >= 0) {
          versions.back().is_final = false;
        }
        last = mop;
        versions.push_back(
            {txn, mop, puts ? rows_.written(*op).front().value : ValueId::none(), true});
      }
    }
    return versions;
  }

  [[nodiscard]] const rows::ShownRow* shown(const RowOp& read, KeyId row) const {
    const std::span<const rows::ShownRow> all = rows_.shown(read);
    const auto found = std::ranges::find(all, row, &rows::ShownRow::row);
    return found == all.end() ? nullptr : &*found;
  }

  /// `value`: none() if the row is not there.
  [[nodiscard]] bool matches(const RowOp& read, ValueId value) const {
    if (value.is_none()) {
      return false;
    }
    rows::Record record;
    record.set(rows::ColumnId{0}, value);
    const rows::Predicate& predicate = rows_.predicate(read);
    const bool are_both_nil = predicate.kind == rows::Predicate::Kind::kEqual && value.is_nil() &&
                              predicate.value.is_nil();
    return are_both_nil || predicate.matches(history_.values(), ValueId::nil(), record);
  }

  [[nodiscard]] bool holds(const Step& step) const {
    if (!is_possible(step.from) || step.to.index() >= history_.txn_count() ||
        step.from == step.to) {
      return false;
    }
    if (step.relation == Relation::kProcess) {
      return history_.session(step.from) == history_.session(step.to) && step.from < step.to;
    }
    if (step.relation == Relation::kRealtime) {
      return history_.has_invocation(step.to) &&
             history_.completion_id(step.from) < history_.invocation_id(step.to);
    }
    const std::vector<WrittenRow> versions = versions_of(step.key);
    const auto written = [&](TxnId txn, std::int32_t mop) {
      return std::ranges::find_if(versions, [&](const WrittenRow& version) {
        return version.txn == txn && version.mop == mop && version.is_final;
      });
    };
    if (step.relation == Relation::kWw) {
      const auto before = written(step.from, step.from_mop);
      const auto after = written(step.to, step.to_mop);
      return before != versions.end() && after != versions.end() && before + 1 == after;
    }
    const bool is_read_from = step.relation == Relation::kWr;
    const TxnId reader = is_read_from ? step.to : step.from;
    const RowOp* read = operation(reader, is_read_from ? step.to_mop : step.from_mop);
    const auto write =
        is_read_from ? written(step.from, step.from_mop) : written(step.to, step.to_mop);
    return read != nullptr && history_.committed(reader) && write != versions.end() &&
           (step.by_predicate ? holds_by_predicate(step, *read, versions, *write)
                              : holds_of_item(step, *read, versions, *write));
  }

  /// The version that a read shows; the end if that is unknown. Nil is the unborn version, or
  /// the dead one. It is unknown which if the row was unborn and ends dead, or if neither is so.
  [[nodiscard]] std::vector<WrittenRow>::const_iterator seen(
      const RowOp& read, const std::vector<WrittenRow>& versions) const {
    if (read.shown_count > 0) {
      const std::span<const rows::Field> fields = rows_.fields(rows_.shown(read).front());
      return fields.empty() ? versions.end()
                            : std::ranges::find(versions, fields.front().value, &WrittenRow::value);
    }
    const bool was_unborn = !versions.empty() && versions.front().txn.is_none();
    const bool is_dead =
        !versions.empty() && !versions.back().txn.is_none() && versions.back().value.is_none();
    return is_dead && !was_unborn   ? versions.end() - 1
           : was_unborn && !is_dead ? versions.begin()
                                    : versions.end();
  }

  [[nodiscard]] bool holds_of_item(const Step& step, const RowOp& read,
                                   const std::vector<WrittenRow>& versions,
                                   const WrittenRow& write) const {
    if (read.kind != RowOpKind::kRead || read.row != step.key) {
      return false;
    }
    const auto version = seen(read, versions);
    if (step.relation == Relation::kWr) {
      return version != versions.end() && &*version == &write;
    }
    // A row that was there from the beginning but was not found: every version comes later.
    const bool is_before_all =
        version == versions.end() && read.shown_count == 0 && !versions.front().txn.is_none();
    return is_before_all ? &versions.front() == &write
                         : version != versions.end() && version + 1 != versions.end() &&
                               &*(version + 1) == &write;
  }

  [[nodiscard]] bool holds_by_predicate(const Step& step, const RowOp& read,
                                        const std::vector<WrittenRow>& versions,
                                        const WrittenRow& write) const {
    if (read.kind != RowOpKind::kPredicateRead) {
      return false;
    }
    // The version selected: the one shown, or the only one that does not match.
    auto selected = versions.end();
    if (const rows::ShownRow* row = shown(read, step.key)) {
      const std::span<const rows::Field> fields = rows_.fields(*row);
      selected = fields.empty()
                     ? versions.end()
                     : std::ranges::find(versions, fields.front().value, &WrittenRow::value);
    } else {
      const auto is_other = [&](const WrittenRow& v) { return !matches(read, v.value); };
      if (std::ranges::count_if(versions, is_other) == 1) {
        selected = std::ranges::find_if(versions, is_other);
      }
    }
    if (selected == versions.end()) {
      return false;
    }
    return step.relation == Relation::kWr ? &*selected == &write
                                          : &*selected < &write && matches(read, selected->value) !=
                                                                       matches(read, write.value);
  }

  const History& history_;
  const rows::Rows& rows_;
};

}  // namespace

std::optional<std::string> check_rows_anomaly(const History& history, const Anomaly& anomaly,
                                              const std::function<bool()>& keep_going) {
  const RowsAnomalyCheck check(history);
  if (const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence)) {
    return check.cycle(anomaly.type, *cycle);
  }
  if (const auto* miss = std::get_if<PredicateMissEvidence>(&anomaly.evidence)) {
    return check.miss(*miss);
  }
  if (const auto* proof = std::get_if<RowsProofEvidence>(&anomaly.evidence)) {
    return check_rows_proof(history, anomaly.type, *proof, keep_going);
  }
  return std::nullopt;
}

}  // namespace elapid
