#include "engine/argue/trial_state.h"

#include <algorithm>
#include <utility>

#include "engine/argue/first_contents.h"

namespace elapid::argue {

using replay::RowState;
using rows::RowOp;
using rows::RowOpKind;

TrialState::TrialState(const History& history, const RowWrites& writes,
                       std::span<const RowState> beginning, bool is_told)
    : history_(history),
      rows_(*history.info().rows),
      writes_(writes),
      is_told_(is_told),
      beginning_(beginning),
      table_(history),
      log_(history.key_count() * writes.part_count()),
      read_(history.txn_count(), kNever),
      committed_(history.txn_count(), kNever),
      rows_left_(history.txn_count()) {
  for (KeyId row{0}; row.index() < beginning.size(); ++row.value) {
    if (beginning[row.index()].is_alive) {
      table_.set(row, beginning[row.index()]);
    }
  }
}

void TrialState::set(TxnId txn, KeyId row, PartSet parts, const RowState& state) {
  RowState after = table_.row(row);
  // Other columns keep their values, unless all parts are written.
  if ((parts >> kRowExistence & 1U) != 0) {
    after.is_alive = state.is_alive;
  }
  after.version = state.version;
  if ((parts + 1) >> writes_.part_count() != 0) {
    after.record = state.record;
  }
  for (std::uint32_t part = 0; part < writes_.part_count(); ++part) {
    if ((parts >> part & 1U) == 0) {
      continue;
    }
    Entry entry = {.at = now_, .writer = txn};
    if (part == kRowExistence) {
      entry.value = RowParts::existence(state.is_alive);
    } else if (part == kRowVersion) {
      entry.value = state.version;
    } else {
      const rows::ColumnId column{part - kFirstColumn};
      entry.value = state.record.get(column);
      if (!entry.value.is_none()) {
        after.record.set(column, entry.value);
      }
    }
    log_[row.index() * writes_.part_count() + part].push_back(entry);
  }
  table_.set(row, std::move(after));
  rows_left_[txn.index()].push_back(row);
}

const TrialState::Entry* TrialState::last_entry(KeyId row, std::uint32_t part, Moment at) const {
  const std::vector<Entry>& log = log_[row.index() * writes_.part_count() + part];
  const auto after = std::ranges::upper_bound(log, at, {}, &Entry::at);
  return after == log.begin() ? nullptr : &*(after - 1);
}

RowState TrialState::at_first(KeyId row) const {
  RowState state = row.index() < beginning_.size() ? beginning_[row.index()] : RowState();
  for (const Pretended& other : pretended_) {
    if (row == other.row) {
      set_column(state, other.column, other.value);
    }
  }
  return state;
}

TxnId TrialState::last_writer(KeyId row, std::uint32_t part, Moment at) const {
  const Entry* entry = last_entry(row, part, at);
  return entry == nullptr ? TxnId::none() : entry->writer;
}

RowState TrialState::state(KeyId row, Moment at) const {
  const RowState first = at_first(row);
  RowState state = {.is_alive = first.is_alive};
  if (const Entry* entry = last_entry(row, kRowExistence, at)) {
    state.is_alive = RowParts::is_there(entry->value);
  }
  if (const Entry* entry = last_entry(row, kRowVersion, at)) {
    state.version = entry->value;
  }
  for (std::uint32_t part = kFirstColumn; part < writes_.part_count(); ++part) {
    const rows::ColumnId column{part - kFirstColumn};
    const Entry* entry = last_entry(row, part, at);
    const ValueId value = entry != nullptr ? entry->value : first.record.get(column);
    if (!value.is_none()) {
      state.record.set(column, value);
    }
  }
  return state;
}

RowState TrialState::view(TxnId txn, std::uint32_t mop, KeyId row) const {
  RowState state = this->state(row, read_at(txn));
  writes_.each_write(txn, mop, row, [&](std::uint32_t at, const RowOp& op, bool is_sure) {
    if (is_sure || (is_told_ ? is_taken(txn, at, row) : matches(op, row, state))) {
      apply(op, state);
    }
  });
  return state;
}

bool TrialState::matches(const RowOp& op, KeyId row, const RowState& state) const {
  return state.is_alive &&
         (!op.has_predicate() ||
          rows_.predicate(op).matches(history_.values(), rows_.key(row), state.record));
}

void TrialState::apply(const RowOp& op, RowState& row) const {
  const bool ends = op.ends_rows();
  if (ends || op.kind == RowOpKind::kInsert) {
    row.record = {};
  }
  if (ends || op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut) {
    row.is_alive = !ends;
  }
  row.version = ends ? ValueId::nil() : op.version;
  if (!ends) {
    row.record.set(rows_.written(op));
  }
}

}  // namespace elapid::argue
