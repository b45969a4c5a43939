#include "engine/argue/trial.h"

#include <algorithm>
#include <utility>

#include "engine/argue/trial_run.h"

namespace elapid::argue {

using replay::RowState;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;

TrialResult Trial::run(std::span<const OrderEvent> order) {
  for (const OrderEvent event : order) {
    if (result_.failures.size() >= options_.most) {
      break;
    }
    if (writes_.looked() > options_.most_looked) {
      result_.is_too_long = true;
      break;
    }
    if (!options_.has_two_events || !event.is_commit) {
      read(event.txn);
    }
    if (event.is_commit) {
      commit(event.txn);
    }
  }
  result_.taken = state_.taken();
  return std::move(result_);
}

const RowState& Trial::view(KeyId row) const {
  const auto own = own_.find(row);
  return own == own_.end() ? state_.table().row(row) : own->second.state;
}

void Trial::read(TxnId txn) {
  own_.clear();
  looks_.clear();
  wide_.clear();
  counted_.clear();
  failures_before_ = static_cast<std::ptrdiff_t>(result_.failures.size());
  state_.begin(txn);
  const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
  for (std::uint32_t mop = 0; mop < count; ++mop) {
    const RowOp& op = writes_.op(txn, mop);
    if (!op.has_predicate()) {
      check_row(txn, mop, op);
    } else if (op.known != Known::kNothing || op.writes_unnamed()) {
      find(op);
      !op.finds_unnamed()  ? check_listed(txn, mop, op)
      : !has_old_versions_ ? check_counted(txn, mop, op)
      : !op.is_read()      ? choose_rows(txn, mop, op)
      : has_one_state_     ? look_at_count(txn, mop, op)
                           : check_chances(txn, mop, op);
    }
    write(txn, mop, op);
  }
  if (options_.has_two_events) {
    find_overlaps(txn);
  }
  if (has_one_state_) {
    find_state(txn);
  }
  pending_[txn] = std::move(own_);
  own_.clear();
}

void Trial::write(TxnId txn, std::uint32_t mop, const RowOp& op) {
  std::vector<KeyId> rows = writes_.rows_of(txn, mop);
  if (op.writes_unnamed()) {
    rows = found_;
  } else if (op.kind == RowOpKind::kDelete && !is_sure(txn, mop, op.row) &&
             (!view(op.row).is_alive || misses_by_choice(txn, mop, op.row))) {
    rows.clear();
  }
  for (const KeyId row : rows) {
    if (has_old_versions_ && !is_sure(txn, mop, row)) {
      state_.note_taken(txn, mop, row);
    }
    Own& own = own_.try_emplace(row, Own{view(row)}).first->second;
    own.parts |= writes_.written(op);
    state_.apply(op, own.state);
  }
}

bool Trial::is_sure(TxnId txn, std::uint32_t mop, KeyId row) const {
  bool found = false;
  writes_.each_write(txn, mop + 1, row, [&](std::uint32_t at, const RowOp& /*op*/, bool sure) {
    found = at == mop && sure;
  });
  return found;
}

void Trial::find_overlaps(TxnId txn) {
  for (const auto& [other, written] : pending_) {
    for (const auto& [row, own] : own_) {
      if (written.contains(row)) {
        Explanation why = explanation();
        why.add_write(txn, row);
        why.add_write(other, row);
        tell({.kind = Failure::Kind::kOverlap, .txn = txn, .other = other, .row = row}, why);
        break;
      }
    }
  }
}

void Trial::commit(TxnId txn) {
  state_.commit(txn);
  for (const auto& [row, own] : pending_[txn]) {
    state_.set(txn, row, own.parts, own.state);
  }
  pending_.erase(txn);
}

void Trial::tell(Failure failure, Explanation& why) {
  if (why.is_too_long()) {
    result_.is_too_long = true;
    return;
  }
  if (why.is_confused()) {
    return;
  }
  why.move_to(failure, options_.contents);
  result_.failures.push_back(std::move(failure));
}

void Trial::fail(TxnId txn, std::uint32_t mop, KeyId row, const Parts& parts, std::uint32_t as) {
  Explanation why = explanation();
  why.add(txn, mop, row, parts);
  tell({.txn = txn, .mop = mop, .row = as == kAsRecorded ? KeyId::none() : row, .as = as}, why);
}

void Trial::find(const RowOp& op) {
  found_.clear();
  state_.table().find(rows_.predicate(op), found_);
  for (const auto& [row, own] : own_) {
    found_.push_back(row);
  }
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  std::erase_if(found_, [&](KeyId row) { return !state_.matches(op, row, view(row)); });
}

std::optional<bool> FoundChoices::get(TxnId txn, std::uint32_t mop, KeyId row,
                                      std::uint32_t as) const {
  const auto found = choices_.find({txn, mop, row, as});
  return found == choices_.end() ? std::nullopt : std::optional(found->second);
}

TrialResult try_order(const History& history, const RowWrites& writes,
                      std::span<const OrderEvent> order, TrialOptions options) {
  return Trial(history, writes, options).run(order);
}

}  // namespace elapid::argue
