#include "engine/certify/rows/rows_effects.h"

#include <algorithm>
#include <span>
#include <utility>

namespace elapid::certify {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

RowsEffects::RowsEffects(const History& history, bool has_two_events, Model model, KnownRow any_row)
    : history_(history),
      rows_(*history.info().rows),
      has_two_events_(has_two_events),
      model_(model),
      any_row_(std::move(any_row)),
      flaw_(note_writers()) {}

std::optional<std::string> RowsEffects::note_writers() {
  if (kFirstColumn + rows_.column_count() > 63) {
    return "rows have too many columns";
  }
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    if (history_.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    for (const Op place : history_.ops(txn)) {
      const RowOp& op = rows_.op(place);
      if (op.writes_unnamed()) {
        if (op.first > 0 || (is_repeatable() && op.known == Known::kBag)) {
          return "a predicate wrote rows that are not named";
        }
        unnamed_.push_back(txn);
      }
      each_written(op, [&](KeyId row) {
        std::vector<TxnId>& writers = writers_[row];
        if (writers.empty() || writers.back() != txn) {
          writers.push_back(txn);
        }
      });
    }
  }
  return std::nullopt;
}

PartBits RowsEffects::all_parts() const {
  return part_bit(kFirstColumn + static_cast<std::uint32_t>(rows_.column_count())) - 1;
}

PartBits RowsEffects::parts_written(const RowOp& op) const {
  if (op.ends_rows() || op.kind == RowOpKind::kInsert) {
    return all_parts();
  }
  PartBits parts =
      part_bit(kRowVersion) | (op.kind == RowOpKind::kPut ? part_bit(kRowExistence) : 0);
  for (const rows::Field& field : rows_.written(op)) {
    parts |= part_bit(kFirstColumn + field.column.value);
  }
  return parts;
}

void RowsEffects::change(const RowOp& op, KnownRow& row) const {
  if (op.ends_rows()) {
    row = {.exists = false, .version = ValueId::nil(), .columns = {}, .has_all_columns = true};
    return;
  }
  if (op.kind == RowOpKind::kInsert) {
    row = {.exists = true, .version = op.version, .columns = {}, .has_all_columns = true};
  } else if (op.kind == RowOpKind::kPut) {
    row.exists = true;
  }
  row.version = op.version;
  for (const rows::Field& field : rows_.written(op)) {
    row.columns[field.column] = {field.value};
  }
}

void RowsEffects::blur(const RowOp& op, KnownRow& row) const {
  if (op.ends_rows()) {
    row = {};
    return;
  }
  row.version = std::nullopt;
  for (const rows::Field& field : rows_.written(op)) {
    row.columns[field.column] = {};
  }
}

bool RowsEffects::shows_existence(const RowOp& op, KeyId key) const {
  if (!op.has_predicate()) {
    return op.row == key && op.kind != RowOpKind::kDelete &&
           (op.kind != RowOpKind::kRead || (!is_read_committed() && op.shown_count > 0));
  }
  const std::span<const ShownRow> shown = rows_.shown(op);
  const bool tells = op.kind == RowOpKind::kPredicateUpdate ||
                     (op.kind == RowOpKind::kPredicateRead && !is_repeatable());
  return tells && op.known != Known::kBag &&
         std::ranges::find(shown, key, &ShownRow::row) != shown.end();
}

bool RowsEffects::leaves_none(const RowOp& op, KeyId key, KnownRow row) const {
  row.exists = true;
  return op.ends_rows() && !is_repeatable() &&
         (!op.has_predicate() || matches(history_, op, key, row) == Certain::kYes);
}

namespace {

/// Whether the operation wrote the row, if all choices of the clause are false. Nothing if they do
/// not tell.
std::optional<bool> assumed_write(const RowsProofStep* step, TxnId txn, std::size_t mop,
                                  KeyId row) {
  if (step == nullptr) {
    return std::nullopt;
  }
  const auto told = std::ranges::find_if(step->clause, [&](const RowsChoice& choice) {
    return choice.kind == RowsChoice::Kind::kFound && choice.as == kAsFound &&
           choice.first.txn == txn && choice.mop == mop && choice.row == row;
  });
  return told == step->clause.end() ? std::nullopt : std::optional(!told->holds);
}

}  // namespace

/// At repeatable read what the predicate finds may be an older version, unless the transaction has
/// written the row itself.
Certain RowsEffects::writes_unnamed(const RowOp& op, KeyId key, const CarriedOut& now) const {
  if (!is_repeatable() || now.sure != 0) {
    return matches(history_, op, key, now.row);
  }
  const bool may_match = matches(history_, op, key, {}) != Certain::kNo;
  const bool may_be_there = now.row.exists.value_or(true) || must_exist(now.row);
  return may_match && may_be_there ? Certain::kMaybe : Certain::kNo;
}

CarriedOut RowsEffects::carried_out(TxnId txn, std::size_t count, KeyId key, KnownRow row,
                                    const RowsProofStep* step) const {
  CarriedOut result = {.row = std::move(row)};
  bool is_there = false;
  const std::span<const Op> ops = history_.ops(txn).first(count);
  for (std::size_t mop = 0; mop < ops.size(); ++mop) {
    const RowOp& op = rows_.op(ops[mop]);
    const bool is_named = names(op, key);
    const bool finds_newest = !may_be_old(op) || result.sure != 0;
    Certain writes = is_named ? Certain::kYes : Certain::kNo;
    if (const auto assumed = op.is_read() ? std::nullopt : assumed_write(step, txn, mop, key)) {
      writes = *assumed ? Certain::kYes : Certain::kNo;
      if (*assumed) {
        result.row.exists = true;  // that is what a delete tells, and who changes a row
      } else if (op.kind == RowOpKind::kDelete && finds_newest) {
        change(op, result.row);  // there was none
      }
    } else if (op.writes_unnamed()) {
      writes = writes_unnamed(op, key, result);
    } else if (is_named && op.kind == RowOpKind::kDelete && deletes_may_miss() && !is_there) {
      writes = must_exist(result.row) && finds_newest ? Certain::kYes
               : result.row.exists.value_or(true)     ? Certain::kMaybe
                                                      : Certain::kNo;
    }
    if (writes == Certain::kMaybe && leaves_none(op, key, result.row)) {
      change(op, result.row);
    } else if (writes == Certain::kYes) {
      result.sure |= parts_written(op);
      change(op, result.row);
    } else if (writes == Certain::kMaybe) {
      blur(op, result.row);
    }
    if (writes != Certain::kNo) {
      result.maybe |= parts_written(op);
      is_there = is_there && !op.ends_rows();
    }
    is_there = is_there || shows_existence(op, key);
  }
  return result;
}

KnownRow RowsEffects::left_by(TxnId txn, KeyId key) const {
  return txn.is_none() ? any_row_ : carried_out(txn, history_.ops(txn).size(), key, {}).row;
}

KnownRow RowsEffects::first_version(KeyId key) const {
  const TxnId initial = history_.info().initial_txn;
  return initial.is_none() || !history_.committed(initial)
             ? any_row_
             : carried_out(initial, history_.ops(initial).size(), key, any_row_).row;
}

bool RowsEffects::names(const RowOp& op, KeyId key) const {
  bool is_named = false;
  each_written(op, [&](KeyId row) { is_named = is_named || row == key; });
  return is_named;
}

bool RowsEffects::may_write(const RowOp& op, KeyId key) const {
  return names(op, key) || (op.writes_unnamed() && matches(history_, op, key, {}) != Certain::kNo);
}

std::vector<KnownRow> RowsEffects::may_leave(TxnId txn, KeyId key, std::uint32_t part) const {
  std::vector<KnownRow> all;
  bool is_there = false;
  for (const Op place : history_.ops(txn)) {
    const RowOp& op = rows_.op(place);
    const bool is_named = names(op, key);
    const bool is_written = may_write(op, key);
    if (is_written && (parts_written(op) & part_bit(part)) != 0) {
      KnownRow made;
      change(op, made);
      if (is_named && (op.kind != RowOpKind::kDelete || !deletes_may_miss() || is_there)) {
        all.clear();  // what came before is overwritten
      }
      all.emplace_back();
      put_part(all.back(), made, part);
    }
    is_there = (is_there && !(is_written && op.ends_rows())) || shows_existence(op, key);
  }
  return all;
}

std::optional<KnownRow> RowsEffects::made_by(const RowOp& op, KeyId key) const {
  if (!may_write(op, key)) {
    return std::nullopt;
  }
  KnownRow made = unborn_row();
  change(op, made);
  return made;
}

bool RowsEffects::writes_with(TxnId txn, KeyId key, std::uint32_t part, std::uint32_t also) const {
  return std::ranges::all_of(history_.ops(txn), [&](Op place) {
    const RowOp& op = rows_.op(place);
    const PartBits parts = op.is_read() ? 0 : parts_written(op);
    return !may_write(op, key) || (parts & part_bit(part)) == 0 || (parts & part_bit(also)) != 0;
  });
}

std::vector<TxnId> RowsEffects::writers_of(KeyId row) const {
  const auto found = writers_.find(row);
  std::vector<TxnId> all = found == writers_.end() ? std::vector<TxnId>() : found->second;
  all.insert(all.end(), unnamed_.begin(), unnamed_.end());
  return all;
}

}  // namespace elapid::certify
