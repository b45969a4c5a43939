#include "engine/replay/order_search.h"

#include <algorithm>
#include <utility>

#include "engine/replay/state_hash.h"

namespace elapid::replay {

namespace {

constexpr std::uint64_t kTakenFeature = std::uint64_t{1} << 60;

}  // namespace

OrderSearch::OrderSearch(const History& history, OrderLevel level, const RowContents& beginning)
    : history_(history),
      has_two_events_(level.visibility != Visibility::kSerial),
      table_(history),
      carry_out_(history, table_),
      needs_(history),
      turns_(history, level),
      is_locked_(history.key_count(), false),
      obstacle_(history.txn_count(), KeyId::none()),
      obstacle_stamp_(history.txn_count(), 0) {
  for (const auto& [row, state] : beginning) {
    table_.set(row, state);
  }
}

Validity OrderSearch::run(ReplayBudget& budget) {
  budget_ = &budget;
  if (needs_.impossible()) {
    return Validity::kInvalid;
  }
  memo_.insert(state_);
  std::vector<Frame> frames(1);
  begin_pass(frames.back(), Pass::kReaders);
  while (!frames.empty()) {
    if (turns_.is_over()) {
      drop_unfinished();
      return Validity::kValid;
    }
    if (budget.work == 0 || memo_.size() >= budget.states ||
        (budget.keep_going && !budget.keep_going())) {
      return Validity::kUnknown;
    }
    spend(kCostOfMove);
    if (!advance(frames.back())) {
      frames.pop_back();
      if (!frames.empty()) {
        undo(frames.back());
      }
    } else if (memo_.insert(state_)) {
      frames.emplace_back();
      begin_pass(frames.back(), Pass::kReaders);
    } else {
      undo(frames.back());
    }
  }
  return Validity::kInvalid;
}

/// Indeterminate transactions that started and never had to commit did not take effect.
void OrderSearch::drop_unfinished() {
  std::erase_if(order_, [this](const OrderEvent& event) {
    return std::ranges::find(in_flight_, event.txn, &InFlight::txn) != in_flight_.end();
  });
}

void OrderSearch::begin_pass(Frame& frame, Pass pass) const {
  frame.pass = pass;
  frame.next = turns_.first(pass == Pass::kReaders    ? Line::kReaders
                            : pass == Pass::kOptional ? Line::kOptional
                                                      : Line::kWriters);
  frame.next_commit = 0;
}

/// Makes the next move from this state; false if there is none left.
bool OrderSearch::advance(Frame& frame) {
  while (frame.pass != Pass::kOver && budget_->work > 0) {
    switch (frame.pass) {
      case Pass::kReaders:
        if (try_waiting(frame, Line::kReaders)) {
          frame.pass = Pass::kOver;  // nothing else can be better
          return true;
        }
        begin_pass(frame, Pass::kWriters);
        break;
      case Pass::kWriters:
        if (try_waiting(frame, Line::kWriters)) {
          return true;
        }
        begin_pass(frame, Pass::kCommits);
        break;
      case Pass::kCommits:
        if (try_commit(frame)) {
          return true;
        }
        begin_pass(frame, Pass::kOptional);
        break;
      case Pass::kOptional:
        if (try_waiting(frame, Line::kOptional)) {
          return true;
        }
        frame.pass = Pass::kOver;
        break;
      case Pass::kOver:
        break;
    }
  }
  return false;
}

bool OrderSearch::fits(TxnId txn) {
  const KeyId obstacle = obstacle_[txn.index()];
  if (!obstacle.is_none() && table_.stamp(obstacle) == obstacle_stamp_[txn.index()]) {
    return false;
  }
  spend(1 + history_.ops(txn).size());
  const bool is_fitting = carry_out_.fits(txn);
  const std::optional<KeyId> row = carry_out_.obstacle();
  obstacle_[txn.index()] = is_fitting || !row ? KeyId::none() : *row;
  obstacle_stamp_[txn.index()] = is_fitting || !row ? 0 : table_.stamp(*row);
  return is_fitting;
}

bool OrderSearch::is_locked(const Effects& effects) const {
  return std::ranges::any_of(effects,
                             [&](const auto& effect) { return is_locked_[effect.first.index()]; });
}

/// The next of those that wait and fit, from where the frame stands on.
bool OrderSearch::try_waiting(Frame& frame, Line line) {
  for (TxnId txn = frame.next; !txn.is_none() && budget_->work > 0; txn = turns_.after(txn)) {
    --budget_->work;
    if (turns_.is_beyond(txn)) {
      break;
    }
    if (!turns_.may_start(txn) || !fits(txn)) {
      continue;
    }
    const Effects& effects = carry_out_.effects();
    const bool is_useless = line == Line::kOptional && effects.empty();
    if (is_useless || is_locked(effects)) {
      continue;
    }
    needs_.settle(txn);
    if ((!has_two_events_ || effects.empty()) && needs_.would_end(table_, effects)) {
      needs_.unsettle(txn);
      continue;
    }
    frame.next = turns_.after(txn);
    start(txn, frame);
    return true;
  }
  return false;
}

/// Carries out what fits and has read: the whole transaction, or its start.
void OrderSearch::start(TxnId txn, Frame& frame) {
  Effects effects = carry_out_.take_effects();
  turns_.take(txn);
  state_ ^= search::zobrist(kTakenFeature + txn.value);
  frame.moved = txn;
  frame.has_started = true;
  if (!has_two_events_ || effects.empty()) {
    if (has_two_events_) {
      order_.push_back({txn, false});
    }
    commit(txn, std::move(effects), frame);
    return;
  }
  order_.push_back({txn, false});
  for (const auto& [row, state] : effects) {
    is_locked_[row.index()] = true;
  }
  in_flight_.push_back({txn, std::move(effects)});
  mix_in_flight(in_flight_.back());
}

void OrderSearch::commit(TxnId txn, Effects effects, Frame& frame) {
  frame.has_committed = true;
  frame.undo.reserve(effects.size());
  for (auto& [row, state] : effects) {
    state_ ^= row_hash(row, table_.row(row), 0);
    state_ ^= row_hash(row, state, 0);
    const std::uint64_t stamp = table_.stamp(row);
    frame.undo.push_back({row, table_.set(row, std::move(state)), stamp});
  }
  order_.push_back({txn, true});
  turns_.finish(txn);
}

bool OrderSearch::try_commit(Frame& frame) {
  while (frame.next_commit < in_flight_.size()) {
    const std::size_t at = frame.next_commit++;
    spend(1 + in_flight_[at].effects.size());
    if (needs_.would_end(table_, in_flight_[at].effects)) {
      continue;
    }
    mix_in_flight(in_flight_[at]);
    InFlight one = std::move(in_flight_[at]);
    in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(at));
    for (const auto& [row, state] : one.effects) {
      is_locked_[row.index()] = false;
    }
    frame.moved = one.txn;
    frame.in_flight_at = at;
    commit(one.txn, std::move(one.effects), frame);
    return true;
  }
  return false;
}

/// Takes the frame's move back.
void OrderSearch::undo(Frame& frame) {
  const TxnId txn = frame.moved;
  if (frame.has_committed) {
    turns_.unfinish(txn);
    order_.pop_back();
    Effects effects;
    for (auto at = frame.undo.rbegin(); at != frame.undo.rend(); ++at) {
      state_ ^= row_hash(at->row, table_.row(at->row), 0);
      state_ ^= row_hash(at->row, at->state, 0);
      effects.emplace_back(at->row, table_.restore(at->row, std::move(at->state), at->stamp));
    }
    if (!frame.has_started) {
      std::ranges::reverse(effects);
      for (const auto& [row, state] : effects) {
        is_locked_[row.index()] = true;
      }
      const auto at = in_flight_.begin() + static_cast<std::ptrdiff_t>(frame.in_flight_at);
      mix_in_flight(*in_flight_.insert(at, {txn, std::move(effects)}));
    }
  } else if (frame.has_started) {
    mix_in_flight(in_flight_.back());
    for (const auto& [row, state] : in_flight_.back().effects) {
      is_locked_[row.index()] = false;
    }
    in_flight_.pop_back();
  }
  if (frame.has_started) {
    if (has_two_events_) {
      order_.pop_back();
    }
    state_ ^= search::zobrist(kTakenFeature + txn.value);
    needs_.unsettle(txn);
    turns_.give_back(txn);
  }
  frame.has_started = false;
  frame.has_committed = false;
  frame.undo.clear();
}

/// Into the state, or out of it.
void OrderSearch::mix_in_flight(const InFlight& one) {
  for (const auto& [row, state] : one.effects) {
    state_ ^= row_hash(row, state, std::uint64_t{one.txn.value} + 1);
  }
}

}  // namespace elapid::replay
