// Steps about operations that may concern old versions: at repeatable read, read committed and read
// atomic.
#include <algorithm>

#include "engine/certify/rows/rows_proof_check.h"

namespace elapid::certify {

using ChoiceKind = RowsChoice::Kind;
using rows::RowOp;
using rows::ShownRow;

/// No step is about a delete by key at read atomic, which missed its row in the state that its
/// transaction saw or at its place in the order.
bool RowsProofCheck::concerns_any(const RowsProofStep& step) const {
  const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
  const bool has_two_ways =
      op.kind == rows::RowOpKind::kDelete && evidence_.model == Model::kReadAtomic;
  return effects_.may_be_old(op) && !has_two_ways && step.by_predicate == op.has_predicate();
}

bool RowsProofCheck::may_be_first(const RowOp& op, TxnId txn, KeyId row, std::uint32_t as) const {
  if (!beginning_.is_open()) {
    return !findings_.is_impossible(op, row, effects_.first_version(row), as);
  }
  const TxnId initial = history_.info().initial_txn;
  const bool is_overwritten =
      !initial.is_none() && is_initial(initial) && initial != txn &&
      effects_.carried_out(initial, history_.ops(initial).size(), row, {}).sure != 0;
  return !is_overwritten && !findings_.is_impossible(op, row, beginning_.any_row(), as);
}

bool RowsProofCheck::may_be_left_by(TxnId writer, const RowOp& op, TxnId txn, KeyId row,
                                    std::uint32_t as) const {
  const bool is_first = !beginning_.is_open() && is_initial(writer);
  const bool may_write =
      effects_.carried_out(writer, history_.ops(writer).size(), row, {}).maybe != 0;
  return writer != txn && !is_first && may_write && !causes_.precedes(txn, writer) &&
         !findings_.is_impossible(op, row, effects_.left_by(writer, row), as) &&
         may_have_made(writer, op, row, as);
}

bool RowsProofCheck::may_have_made(TxnId writer, const RowOp& op, KeyId row,
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

const char* RowsProofCheck::flaw_of_versions(const RowsProofStep& step) const {
  if (!concerns_any(step) || carried_out(step, step.row, {}).maybe != 0) {
    return "the operation concerns the current version";
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

const char* RowsProofCheck::flaw_of_version(const RowsProofStep& step) const {
  if (!concerns_any(step) || step.other == step.txn) {
    return "the operation concerns the current version";
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

const char* RowsProofCheck::flaw_of_fractured(const RowsProofStep& step) const {
  const bool is_beginning = !beginning_.is_open() && is_initial(step.other);
  if (evidence_.model != Model::kReadAtomic || step.other == step.txn || is_beginning) {
    return "the transaction need not see one state";
  }
  const std::size_t all = history_.ops(step.other).size();
  if (effects_.carried_out(step.other, all, step.row, {}, &step).sure == 0) {
    return "the other transaction may not have written the row";
  }
  const auto doubts = [&](auto is_this) {
    return std::ranges::any_of(step.clause, [&](const RowsChoice& choice) {
      return choice.kind == ChoiceKind::kConcerned && !choice.holds &&
             choice.first == OrderEvent{step.txn, true} && is_this(choice);
    });
  };
  const bool sees_newer =
      doubts([&](const RowsChoice& choice) { return choice.middle == step.other; });
  const bool sees_older = doubts([&](const RowsChoice& choice) {
    return choice.middle != step.other && choice.mop == step.mop && choice.row == step.row &&
           (choice.middle.is_none() || causes_.precedes(choice.middle, step.other) ||
            has(step, before({step.other, true}, {choice.middle, true})));
  });
  return sees_newer && sees_older ? nullptr : "the version may be newer";
}

const char* RowsProofCheck::flaw_of_written(const RowsProofStep& step) const {
  if (!concerns_any(step) || carried_out(step, step.row, {}).maybe != 0 || beginning_.is_open()) {
    return "the operation concerns the current version";
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

bool RowsProofCheck::names_writers(const RowsProofStep& step, std::uint32_t part,
                                   ValueId value) const {
  const auto is_this = [&](const KnownRow& row) {
    return part == kRowVersion ? !row.version || *row.version == value
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

bool RowsProofCheck::is_other(const std::vector<ValueId>& held, ValueId value) {
  return !held.empty() && std::ranges::find(held, value) == held.end();
}

}  // namespace elapid::certify
