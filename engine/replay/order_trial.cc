#include "engine/replay/order_trial.h"

#include <algorithm>
#include <utility>

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

RowState written_anew(const rows::Rows& rows, const RowOp& op, RowState state) {
  if (op.ends_rows()) {
    return {};
  }
  state.is_alive = true;
  state.version = op.version;
  state.record.set(rows.written(op));
  return state;
}

}  // namespace

OrderTrial::OrderTrial(const History& history, const OrderDraft& draft,
                       const std::vector<bool>& takes_part, const RowContents& beginning)
    : history_(history),
      rows_(*history.info().rows),
      draft_(draft),
      table_(history),
      carry_out_(history, table_),
      versions_(history.key_count()),
      effects_(history.txn_count()),
      first_start_(history.txn_count(), 0) {
  for (std::vector<RowVersion>& versions : versions_) {
    versions.emplace_back();
  }
  for (const auto& [row, state] : beginning) {
    versions_[row.index()].front().state = state;
    table_.set(row, state);
  }
  for (const OrderDraft::Vertex vertex : draft.order()) {
    const OrderEvent event = draft.event(vertex);
    if (!takes_part[event.txn.index()]) {
      continue;
    }
    if (!draft.has_two_events() || !event.is_commit) {
      start(event.txn);
    }
    if (event.is_commit) {
      commit(event.txn);
    }
  }
}

void OrderTrial::start(TxnId txn) {
  if (carry_out_.fits(txn)) {
    effects_[txn.index()] = carry_out_.take_effects();
    return;
  }
  has_failed_ = true;
  failed_.push_back(txn);
  note_misfits(txn);
}

void OrderTrial::commit(TxnId txn) {
  const std::uint32_t start = draft_.position(draft_.start(txn));
  for (auto& [row, state] : std::exchange(effects_[txn.index()], {})) {
    std::vector<RowVersion>& versions = versions_[row.index()];
    if (draft_.has_two_events() && !versions.back().writer.is_none() &&
        versions.back().at > start) {
      overlaps_.push_back({versions.back().writer, txn});
      has_failed_ = true;
    }
    if (!versions.back().writer.is_none()) {
      first_start_[txn.index()] = std::max(first_start_[txn.index()], versions.back().at + 1);
    }
    writes_.emplace_back(row, static_cast<std::uint32_t>(versions.size()));
    versions.push_back({txn, draft_.position(draft_.commit(txn)), state});
    table_.set(row, std::move(state));
  }
}

std::size_t OrderTrial::writes_before(std::uint32_t position) const {
  const auto is_before = [&](const Write& write) {
    return versions_[write.first.index()][write.second].at < position;
  };
  return static_cast<std::size_t>(std::ranges::partition_point(writes_, is_before) -
                                  writes_.begin());
}

std::span<const Misfit> OrderTrial::misfits(TxnId txn) const {
  return std::ranges::equal_range(
      misfits_, draft_.position(draft_.start(txn)), {},
      [this](const Misfit& misfit) { return draft_.position(draft_.start(misfit.txn)); });
}

std::span<const std::int32_t> OrderTrial::deviations(TxnId txn) const {
  const auto found = deviations_.find(txn);
  return found == deviations_.end() ? std::span<const std::int32_t>() : found->second;
}

std::int32_t OrderTrial::deviation(const RowOp& op, KeyId row, const RowState& state) const {
  if (op.has_predicate() ? op.known == Known::kNothing : op.row != row) {
    return 0;
  }
  if (op.known == Known::kCount || op.known == Known::kAny) {
    return table_.is_match(rows_.predicate(op), row, state) ? 1 : 0;
  }
  return agrees(op, row, state) ? 0 : 1;
}

std::int32_t OrderTrial::deviation_of_count(const RowOp& op, const Effects& own) const {
  const rows::Predicate& predicate = rows_.predicate(op);
  auto count = static_cast<std::int32_t>(table_.count(predicate));
  for (const auto& [row, state] : own) {
    count -= table_.is_match(predicate, row, table_.row(row)) ? 1 : 0;
    count += table_.is_match(predicate, row, state) ? 1 : 0;
  }
  return op.known == Known::kAny ? count : count - static_cast<std::int32_t>(op.count);
}

bool OrderTrial::has_written(KeyId row) const {
  return std::ranges::find(own_rows_, row) != own_rows_.end();
}

/// Notes the misfits of a transaction that does not fit, operation by operation, and the writes
/// that it would have made.
void OrderTrial::note_misfits(TxnId txn) {
  own_rows_.clear();
  Effects& effects = effects_[txn.index()];
  effects.clear();
  const auto write = [&](const RowOp& op, KeyId row) {
    const auto own =
        std::ranges::find(effects, row, [](const auto& effect) { return effect.first; });
    if (own != effects.end()) {
      own->second = written_anew(rows_, op, std::move(own->second));
    } else {
      own_rows_.push_back(row);
      effects.emplace_back(row, written_anew(rows_, op, table_.row(row)));
    }
  };
  std::vector<std::int32_t>& deviations = deviations_[txn];
  for (const Op number : history_.ops(txn)) {
    const RowOp& op = rows_.op(number);
    const std::size_t before = misfits_.size();
    note_misfits(txn, op);
    deviations.push_back(op.known == Known::kCount || op.known == Known::kAny
                             ? deviation_of_count(op, effects)
                             : static_cast<std::int32_t>(misfits_.size() - before));
    if (op.is_read()) {
      continue;
    }
    if (!op.has_predicate()) {
      write(op, op.row);
    } else if (lists_all_rows(op)) {
      for (const ShownRow& shown : rows_.shown(op)) {
        write(op, shown.row);
      }
    } else {
      std::vector<KeyId> matches;
      table_.find(rows_.predicate(op), matches);
      for (const KeyId row : matches) {
        write(op, row);
      }
    }
  }
}

void OrderTrial::note_misfits(TxnId txn, const RowOp& op) {
  const auto look_at = [&](KeyId row) {
    if (!has_written(row) && !agrees(op, row, table_.row(row))) {
      misfits_.push_back({txn, &op, row});
    }
  };
  if (!op.has_predicate()) {
    return look_at(op.row);
  }
  if (!lists_all_rows(op)) {
    return;
  }
  std::vector<KeyId> rows;
  table_.find(rows_.predicate(op), rows);
  for (const ShownRow& shown : rows_.shown(op)) {
    rows.push_back(shown.row);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::ranges::for_each(rows, look_at);
}

}  // namespace elapid::replay
