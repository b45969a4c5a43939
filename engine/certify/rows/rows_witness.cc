#include "engine/certify/rows/rows_witness.h"

#include <algorithm>
#include <utility>

#include "engine/certify/patience.h"
#include "engine/certify/rows/rows_replay.h"

namespace elapid {

namespace certify {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;

std::optional<std::string> RowsReplay::check(const std::function<bool()>& keep_going) {
  if (auto flaw = begin()) {
    return flaw;
  }
  Patience patience(keep_going);
  for (std::size_t at = 0; at < witness_.order.size(); ++at) {
    if (!patience.goes_on()) {
      return kToldToStop;
    }
    if (auto flaw = carry_out(witness_.order[at], at)) {
      return flaw;
    }
  }
  if (!pending_.empty()) {
    return name(pending_.begin()->first) + " starts and does not commit";
  }
  auto flaw = check_members();
  return flaw ? flaw : check_orders();
}

std::optional<std::string> RowsReplay::begin() {
  RowChanges first;
  for (const PartAtFirst& part : witness_.beginning) {
    if (!rows_.is_row(part.row) || rows_.is_closed()) {
      return "an initial row belongs to no open universe";
    }
    std::optional<LiveRow>& row = first[part.row];
    if (part.part == kRowExistence && part.value == ValueId::integer(1) && !row) {
      row = LiveRow();
    } else if (part.part < kFirstColumn || !row ||
               part.part >= kFirstColumn + rows_.column_count() || part.value.is_none()) {
      return "an initial row has impossible contents";
    } else {
      row->record.set(ColumnId{part.part - kFirstColumn}, part.value);
    }
  }
  for (auto& [row, content] : first) {
    live_.set(row, std::move(content));
  }
  return std::nullopt;
}

std::optional<std::string> RowsReplay::carry_out(OrderEvent event, std::size_t at) {
  const TxnId txn = event.txn;
  if (txn.index() >= history_.txn_count()) {
    return "the order names a transaction that does not exist";
  }
  const bool has_two_events = level_.visibility != Visibility::kSerial;
  if (!event.is_commit || !has_two_events) {
    if (!event.is_commit && !has_two_events) {
      return "at this level transactions have one event";
    }
    if (begun_[txn.index()] != kNever) {
      return name(txn) + " is in the order twice";
    }
    begun_[txn.index()] = at;
    RowChanges changes;
    if (auto flaw = hide_unseen(txn)) {
      return flaw;
    }
    if (auto flaw = run(txn, changes)) {
      return flaw;
    }
    show_all();
    if (auto flaw = check_overlap(txn, changes)) {
      return flaw;
    }
    pending_[txn] = std::move(changes);
  }
  if (event.is_commit) {
    const auto pending = pending_.find(txn);
    if (pending == pending_.end()) {
      return name(txn) + " commits without a start before it";
    }
    if (is_repeatable_) {
      remember(txn, pending->second);
    } else if (is_read_atomic_) {
      note_versions(txn, pending->second);
    }
    for (auto& [row, after] : pending->second) {
      live_.set(row, std::move(after));
      writing_.erase(row);
    }
    pending_.erase(pending);
    committed_[txn.index()] = at;
  }
  return std::nullopt;
}

std::optional<std::string> RowsReplay::check_overlap(TxnId txn, const RowChanges& changes) {
  for (const auto& [row, after] : changes) {
    if (const auto [other, is_new] = writing_.try_emplace(row, txn); !is_new) {
      return name(other->second) + " and " + name(txn) + " overlap and both write row " +
             history_.shown_key(row);
    }
  }
  return std::nullopt;
}

std::optional<std::string> RowsReplay::run(TxnId txn, RowChanges& changes) {
  const std::span<const Op> ops = history_.ops(txn);
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    if (ops[mop].kind() != OpKind::kRow) {
      return "the history has operations of another workload";
    }
    const RowOp& done = rows_.op(ops[mop]);
    const std::set<KeyId>& taken = taken_of(txn, mop);
    const bool is_right = !done.has_predicate()   ? on_row(done, taken, changes)
                          : !is_repeatable_       ? by_predicate(done, changes)
                          : done.writes_unnamed() ? write_taken(done, taken, changes)
                                                  : by_old_versions(done, changes);
    if (!is_right) {
      return name(txn) + " would have another result in one of its operations";
    }
  }
  return std::nullopt;
}

const LiveRow* RowsReplay::seen(KeyId row, const RowChanges& changes) const {
  if (changes.empty()) {
    return live_.find(row);
  }
  const auto own = changes.find(row);
  if (own == changes.end()) {
    return live_.find(row);
  }
  return own->second ? &*own->second : nullptr;
}

const LiveRow* RowsReplay::changed(KeyId row, const RowChanges& changes) const {
  const auto hidden = hidden_.find(row);
  if (hidden == hidden_.end() || changes.contains(row)) {
    return seen(row, changes);
  }
  return hidden->second ? &*hidden->second : nullptr;
}

const std::set<KeyId>& RowsReplay::taken_of(TxnId txn, std::uint32_t mop) const {
  static const std::set<KeyId> none;
  const auto found = taken_.find({txn, mop});
  return found == taken_.end() ? none : found->second;
}

bool RowsReplay::end_row(const RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const {
  const bool finds_newest =
      !may_miss_by_key() || changes.contains(op.row) || taken.contains(op.row);
  if (finds_newest || changed(op.row, changes) == nullptr) {
    return write(op, op.row, changes);
  }
  return is_read_atomic_ ? seen(op.row, changes) == nullptr : may_be(op, op.row, changes, false);
}

bool RowsReplay::on_row(const RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const {
  const LiveRow* row = op.is_read() ? seen(op.row, changes) : changed(op.row, changes);
  switch (op.kind) {
    case RowOpKind::kRead: {
      const auto shown = rows_.shown(op);
      if (is_read_committed_ && op.known != Known::kNothing) {
        return has_fitting_version(op, op.row, shown.empty() ? nullptr : &shown.front(), changes);
      }
      return op.known == Known::kNothing ||
             (row == nullptr ? shown.empty()
                             : shown.size() == 1 && agrees(op, shown.front(), *row));
    }
    case RowOpKind::kInsert:
      return row == nullptr && write(op, op.row, changes);
    case RowOpKind::kUpdate:
      return row != nullptr && write(op, op.row, changes);
    case RowOpKind::kDelete:
      return end_row(op, taken, changes);
    default:
      return write(op, op.row, changes);
  }
}

bool RowsReplay::write(const RowOp& op, KeyId row, RowChanges& changes) const {
  const LiveRow* before = changed(row, changes);
  if (op.ends_rows()) {
    if (before != nullptr) {
      changes[row] = std::nullopt;
    }
    return true;
  }
  LiveRow after = before != nullptr ? *before : LiveRow();
  for (const Field& field : rows_.written(op)) {
    after.record.set(field.column, field.value);
  }
  after.version = op.version;
  changes[row] = std::move(after);
  return true;
}

bool RowsReplay::by_predicate(const RowOp& op, RowChanges& changes) const {
  if (op.is_read() && op.known == Known::kNothing) {
    return true;
  }
  if (const auto count = counted(op, changes); count && op.first == 0 && tells_rows(op)) {
    return is_result(op, *count, changes) && write_all(op, rows_shown(op), changes);
  }
  std::vector<KeyId> found = matching(op, changes);
  if (op.first > 0) {
    found = first_of(std::move(found), op.first);
  }
  return is_result(op, found, changes) && write_all(op, found, changes);
}

bool RowsReplay::write_all(const RowOp& op, const std::vector<KeyId>& found,
                           RowChanges& changes) const {
  return op.is_read() || std::ranges::all_of(found, [&](KeyId row) {
           return changed(row, changes) != nullptr && write(op, row, changes);
         });
}

}  // namespace certify

std::optional<std::string> check_rows_witness(const History& history, OrderLevel level,
                                              const Witness& witness,
                                              const std::function<bool()>& keep_going) {
  if (!certify::is_level_of_rows(level)) {
    return certify::kNoLevelOfRows;
  }
  return certify::RowsReplay(history, level, witness).check(keep_going);
}

std::optional<std::string> check_rows_of_old_versions(const History& history, Model model,
                                                      const Witness& witness,
                                                      const std::function<bool()>& keep_going) {
  return certify::RowsReplay(history, {.visibility = Visibility::kSerial}, witness, model)
      .check(keep_going);
}

}  // namespace elapid
