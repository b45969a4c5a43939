#include "engine/replay/turn_taking.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/replay/carry_out.h"

namespace elapid::replay {

TurnTaking::TurnTaking(const History& history, OrderLevel level)
    : history_(history),
      level_(level),
      has_real_time_(level.real_time && history.info().has_real_time),
      next_(history.txn_count() + 3),
      previous_(history.txn_count()),
      line_(history.txn_count(), Line::kOptional),
      is_finished_(history.txn_count(), false),
      session_previous_(history.txn_count()),
      rank_(history.txn_count(), 0) {
  std::array<std::vector<TxnId>, 3> lines;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    if (history.committed(txn)) {
      by_completion_.push_back(txn);
      line_[txn.index()] = writes_nothing(history, txn) ? Line::kReaders : Line::kWriters;
    }
    lines[static_cast<std::size_t>(line_[txn.index()])].push_back(txn);
  }
  for (const Line line : {Line::kReaders, Line::kWriters, Line::kOptional}) {
    link(line, std::move(lines[static_cast<std::size_t>(line)]));
  }
  std::ranges::stable_sort(by_completion_, {},
                           [&](TxnId txn) { return history.completion_id(txn); });
  for (std::size_t i = 0; i < by_completion_.size(); ++i) {
    rank_[by_completion_[i].index()] = static_cast<std::uint32_t>(i);
  }
  unfinished_ = by_completion_.size();
  link_sessions();
}

void TurnTaking::link(Line line, std::vector<TxnId> txns) {
  std::ranges::stable_sort(txns, {}, [this](TxnId txn) {
    return history_.has_invocation(txn) ? history_.invocation_id(txn) : EventId{0};
  });
  std::size_t last = head(line);
  for (const TxnId txn : txns) {
    next_[last] = txn;
    previous_[txn.index()] =
        last < history_.txn_count() ? TxnId{static_cast<std::uint32_t>(last)} : TxnId::none();
    last = txn.index();
  }
}

void TurnTaking::link_sessions() {
  for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
    TxnId last = TxnId::none();
    for (const TxnId txn : history_.session_txns(session)) {
      session_previous_[txn.index()] = last;
      last = history_.committed(txn) ? txn : last;
    }
  }
}

/// The first completion among unfinished transactions.
EventId TurnTaking::first_completion() const {
  return first_unfinished_ < by_completion_.size()
             ? history_.completion_id(by_completion_[first_unfinished_])
             : EventId::none();
}

bool TurnTaking::may_start(TxnId txn) const {
  const TxnId initial = history_.info().initial_txn;
  if (!initial.is_none() && history_.committed(initial) && txn != initial &&
      !is_finished_[initial.index()]) {
    return false;
  }
  const TxnId before = session_previous_[txn.index()];
  if (level_.sessions && !before.is_none() && !is_finished_[before.index()]) {
    return false;
  }
  return !is_beyond(txn);
}

bool TurnTaking::is_beyond(TxnId txn) const {
  return has_real_time_ && history_.has_invocation(txn) &&
         first_completion() < history_.invocation_id(txn);
}

void TurnTaking::take(TxnId txn) {
  const TxnId before = previous_[txn.index()];
  const TxnId behind = next_[txn.index()];
  const std::size_t at = before.is_none() ? head(line_[txn.index()]) : before.index();
  next_[at] = behind;
  if (!behind.is_none()) {
    previous_[behind.index()] = before;
  }
}

void TurnTaking::give_back(TxnId txn) {
  const TxnId before = previous_[txn.index()];
  const TxnId behind = next_[txn.index()];
  next_[before.is_none() ? head(line_[txn.index()]) : before.index()] = txn;
  if (!behind.is_none()) {
    previous_[behind.index()] = txn;
  }
}

void TurnTaking::finish(TxnId txn) {
  is_finished_[txn.index()] = true;
  if (!history_.committed(txn)) {
    return;
  }
  --unfinished_;
  while (first_unfinished_ < by_completion_.size() &&
         is_finished_[by_completion_[first_unfinished_].index()]) {
    ++first_unfinished_;
  }
}

void TurnTaking::unfinish(TxnId txn) {
  is_finished_[txn.index()] = false;
  if (history_.committed(txn)) {
    ++unfinished_;
    first_unfinished_ = std::min<std::size_t>(first_unfinished_, rank_[txn.index()]);
  }
}

}  // namespace elapid::replay
