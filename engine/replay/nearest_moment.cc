#include "engine/replay/nearest_moment.h"

#include <algorithm>
#include <span>

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::ShownRow;

namespace {

/// Writes looked at in each direction.
constexpr std::size_t kFarthest = 5000;

}  // namespace

NearestMoment::NearestMoment(const History& history, const OrderDraft& draft,
                             const OrderTrial& trial)
    : history_(history), draft_(draft), trial_(trial) {}

/// Whether what the transaction finds follows from rows one by one.
bool NearestMoment::prepare(TxnId txn) {
  const rows::Rows& rows = *history_.info().rows;
  ops_.clear();
  own_writes_.clear();
  for (const Op number : history_.ops(txn)) {
    const RowOp& op = rows.op(number);
    if (!OrderTrial::has_deviation(op)) {
      return false;
    }
    if (!op.is_read() && !op.has_predicate()) {
      own_writes_.emplace_back(op.row, ops_.size());
    } else if (!op.is_read() && lists_all_rows(op)) {
      for (const ShownRow& shown : rows.shown(op)) {
        own_writes_.emplace_back(shown.row, ops_.size());
      }
    } else if (!op.is_read() && op.count > 0) {
      return false;  // what it wrote depends on where it stands
    }
    ops_.push_back(&op);
  }
  return true;
}

std::optional<std::uint32_t> NearestMoment::find(TxnId txn, std::uint64_t& work) {
  const OrderDraft::Vertex start = draft_.start(txn);
  auto [least, most] = draft_.room(start);
  least = std::max(least, trial_.first_start(txn));
  if (least > most || !prepare(txn)) {
    return std::nullopt;
  }
  Cursor back;
  back.position = draft_.position(start);
  back.write = trial_.writes_before(back.position);
  const std::span<const std::int32_t> deviations = trial_.deviations(txn);
  back.deviations.assign(deviations.begin(), deviations.end());
  back.deviations.resize(ops_.size(), 0);
  Cursor on = back;
  const auto fits = [&](const Cursor& cursor) {
    return !cursor.is_at_end && least <= cursor.position && cursor.position <= most &&
           is_right(cursor);
  };
  for (std::size_t steps = 0; steps < kFarthest && work > 0; ++steps) {
    step_back(back, least);
    if (fits(back)) {
      return back.position;
    }
    step_on(on, most);
    if (fits(on)) {
      return on.position;
    }
    if (back.is_at_end && on.is_at_end) {
      break;
    }
    work -= std::min<std::uint64_t>(work, 2 * ops_.size());
  }
  return std::nullopt;
}

/// In front of the commit before it.
void NearestMoment::step_back(Cursor& cursor, std::uint32_t least) const {
  if (cursor.write == 0 || trial_.version(cursor.write - 1).at < least) {
    cursor.is_at_end = true;
    return;
  }
  cursor.position = trial_.version(cursor.write - 1).at;
  while (cursor.write > 0 && trial_.version(cursor.write - 1).at == cursor.position) {
    const auto [row, version] = trial_.writes()[--cursor.write];
    change(cursor, row, trial_.versions(row)[version], trial_.versions(row)[version - 1]);
  }
}

/// Behind the commit after it.
void NearestMoment::step_on(Cursor& cursor, std::uint32_t most) const {
  const std::size_t end = trial_.writes().size();
  if (cursor.write == end || trial_.version(cursor.write).at >= most) {
    cursor.is_at_end = true;
    return;
  }
  const std::uint32_t at = trial_.version(cursor.write).at;
  cursor.position = at + 1;
  for (; cursor.write < end && trial_.version(cursor.write).at == at; ++cursor.write) {
    const auto [row, version] = trial_.writes()[cursor.write];
    change(cursor, row, trial_.versions(row)[version - 1], trial_.versions(row)[version]);
  }
}

void NearestMoment::change(Cursor& cursor, KeyId row, const RowVersion& from,
                           const RowVersion& to) const {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const auto is_own = [&](const auto& write) { return write.first == row && write.second < i; };
    if (std::ranges::none_of(own_writes_, is_own)) {
      cursor.deviations[i] +=
          trial_.deviation(*ops_[i], row, to.state) - trial_.deviation(*ops_[i], row, from.state);
    }
  }
}

bool NearestMoment::is_right(const Cursor& cursor) const {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const bool is_any = ops_[i]->known == Known::kAny;
    if (is_any ? (cursor.deviations[i] == 0) != (ops_[i]->count == 0) : cursor.deviations[i] != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::replay
