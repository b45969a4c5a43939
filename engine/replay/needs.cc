#include "engine/replay/needs.h"

#include <algorithm>

namespace elapid::replay {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

std::size_t Needs::FactHash::operator()(const Fact& fact) const {
  std::uint64_t mixed = (std::uint64_t{fact.row.value} << 32 | fact.what.bits()) +
                        std::uint64_t{fact.column.value} * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  return static_cast<std::size_t>(mixed ^ (mixed >> 31));
}

Needs::Needs(const History& history)
    : history_(history), rows_(*history.info().rows), last_op_(history.key_count(), 0) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      note_writes(txn);
    }
  }
  need_begin_.push_back(0);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      note_reads(txn);
    }
    need_begin_.push_back(static_cast<std::uint32_t>(needs_.size()));
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    change(txn, 1);
  }
}

void Needs::note_writes(TxnId txn) {
  std::uint32_t number = 0;
  for (const Op write : history_.ops(txn)) {
    const RowOp& op = rows_.op(write);
    if (!op.has_predicate() && !op.is_read()) {
      last_op_[op.row.index()] = number;
    }
    ++number;
  }
  number = 0;
  for (const Op op : history_.ops(txn)) {
    note_write(txn, rows_.op(op), number++);
  }
}

void Needs::note_write(TxnId txn, const RowOp& op, std::uint32_t number) {
  if (op.kind == RowOpKind::kPredicateUpdate) {
    has_unnamed_versions_ = true;
    for (const Field& field : rows_.written(op)) {
      by_predicate_.insert({field.column, field.value});
    }
    return;
  }
  if (op.kind > RowOpKind::kPut) {
    return;
  }
  const auto note = [&](ColumnId column, ValueId what) {
    const auto [found, is_new] = numbers_.try_emplace(Fact{op.row, column, what},
                                                      static_cast<std::uint32_t>(sources_.size()));
    if (is_new) {
      sources_.emplace_back();
    }
    Source& source = sources_[found->second];
    source.writer = txn;
    source.last_write = number;
    source.is_last = last_op_[op.row.index()] == number;
    ++source.writes;
  };
  if (!op.version.is_none()) {
    note(ColumnId::none(), op.version);
  }
  for (const Field& field : rows_.written(op)) {
    note(field.column, field.value);
  }
}

void Needs::note_reads(TxnId txn) {
  std::vector<std::uint32_t> needed;
  for (const Op read : history_.ops(txn)) {
    const RowOp& op = rows_.op(read);
    if (op.known != Known::kVersions && op.known != Known::kValues) {
      continue;
    }
    for (const ShownRow& row : rows_.shown(op)) {
      if (op.known == Known::kVersions) {
        note_read(txn, {row.row, ColumnId::none(), row.version}, needed);
      }
      for (const Field& field : rows_.fields(row)) {
        if (!field.value.is_nil()) {
          note_read(txn, {row.row, field.column, field.value}, needed);
        }
      }
    }
  }
  std::ranges::sort(needed);
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  needs_.insert(needs_.end(), needed.begin(), needed.end());
}

void Needs::note_read(TxnId txn, const Fact& fact, std::vector<std::uint32_t>& needed) {
  const auto found = numbers_.find(fact);
  if (is_written_by_predicate(fact)) {
    return;
  }
  const bool is_by_nobody = found == numbers_.end();
  if (is_by_nobody ||
      (sources_[found->second].writes == 1 && sources_[found->second].writer != txn &&
       !is_final(sources_[found->second].writer, fact, sources_[found->second]))) {
    impossible_ = impossible_.value_or(txn);
    return;
  }
  const Source& source = sources_[found->second];
  if (source.writes == 1 && source.writer != txn) {
    needed.push_back(found->second);
  }
}

bool Needs::is_written_by_predicate(const Fact& fact) const {
  return fact.column.is_none() ? has_unnamed_versions_
                               : by_predicate_.contains({fact.column, fact.what});
}

/// Whether the writer's later operations may leave it as it is.
bool Needs::is_final(TxnId writer, const Fact& fact, const Source& source) const {
  if (source.is_last) {
    return true;
  }
  const std::span<const Op> ops = history_.ops(writer);
  return std::ranges::none_of(ops.subspan(source.last_write + 1), [&](Op later) {
    const RowOp& op = rows_.op(later);
    if (op.row != fact.row || op.is_read()) {
      return false;
    }
    const auto writes_column = [&](const Field& field) { return field.column == fact.column; };
    return fact.column.is_none() || op.kind == RowOpKind::kDelete ||
           std::ranges::any_of(rows_.written(op), writes_column);
  });
}

std::span<const std::uint32_t> Needs::needed_by(TxnId txn) const {
  return std::span(needs_).subspan(need_begin_[txn.index()],
                                   need_begin_[txn.index() + 1] - need_begin_[txn.index()]);
}

void Needs::change(TxnId txn, std::int32_t by) {
  for (const std::uint32_t fact : needed_by(txn)) {
    sources_[fact].waiting += by;
  }
}

/// By another transaction than this one.
bool Needs::is_awaited(const Fact& fact, TxnId txn) const {
  const auto found = numbers_.find(fact);
  if (found == numbers_.end()) {
    return false;
  }
  const bool is_own = std::ranges::binary_search(needed_by(txn), found->second);
  return sources_[found->second].waiting > (is_own ? 1 : 0);
}

bool Needs::would_end(const TableState& table, const Effects& effects, TxnId txn) const {
  return std::ranges::any_of(effects, [&](const auto& effect) {
    const auto& [row, after] = effect;
    const RowState& before = table.row(row);
    if (!before.is_alive) {
      return false;
    }
    if (after.version != before.version && !before.version.is_none() &&
        is_awaited({row, ColumnId::none(), before.version}, txn)) {
      return true;
    }
    return std::ranges::any_of(before.record.fields(), [&](const Field& field) {
      return after.record.get(field.column) != field.value &&
             is_awaited({row, field.column, field.value}, txn);
    });
  });
}

}  // namespace elapid::replay
