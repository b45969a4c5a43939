#include "engine/replay/order_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/replay/state_hash.h"

namespace elapid::replay {

namespace {

constexpr std::uint64_t kTakenFeature = std::uint64_t{1} << 60;
constexpr std::uint64_t kInFlightFeature = std::uint64_t{1} << 61;

}  // namespace

OrderSearch::OrderSearch(const History& history, OrderLevel level, const RowContents& beginning)
    : history_(history),
      has_two_events_(level.visibility != Visibility::kSerial),
      has_real_time_(level.real_time && history.info().has_real_time),
      table_(history),
      carry_out_(history, table_),
      needs_(history),
      turns_(history, level),
      may_write_more_(history.txn_count(), false),
      may_start_late_(history.txn_count(), false),
      only_read_(has_two_events_ ? history.txn_count() : 0),
      has_read_(history.txn_count(), false),
      writers_(has_two_events_ ? history.key_count() : 0),
      obstacle_(history.txn_count(), KeyId::none()),
      obstacle_stamp_(history.txn_count(), 0) {
  for (const auto& [row, state] : beginning) {
    table_.set(row, state);
  }
  for (TxnId txn{0}; has_two_events_ && txn.index() < history.txn_count(); ++txn.value) {
    may_write_more_[txn.index()] = may_write_more(txn);
    may_start_late_[txn.index()] = names_all_rows(txn);
    if (may_start_late_[txn.index()]) {
      only_read_[txn.index()] = rows_only_read(txn);
    }
    if (history.status(txn) != TxnStatus::kAborted) {
      note_idle(txn, true);
    }
  }
}

/// Whether the transaction may write more rows if it starts later, with the same results.
bool OrderSearch::may_write_more(TxnId txn) const {
  return std::ranges::any_of(history_.ops(txn), [&](Op number) {
    const rows::RowOp& op = history_.info().rows->op(number);
    const bool is_open = op.first > 0 || op.known == rows::Known::kNothing ||
                         (op.known == rows::Known::kAny && op.count > 0);
    return op.kind == rows::RowOpKind::kDelete || (!op.is_read() && op.has_predicate() && is_open);
  });
}

/// Whether it writes something, and what it finds and writes depends on no rows but those that it
/// names.
bool OrderSearch::names_all_rows(TxnId txn) const {
  bool writes = false;
  for (const Op number : history_.ops(txn)) {
    const rows::RowOp& op = history_.info().rows->op(number);
    if (op.has_predicate() || op.kind == rows::RowOpKind::kDelete) {
      return false;
    }
    writes = writes || !op.is_read();
  }
  return writes;
}

/// The rows that a transaction reads, and does not write.
std::vector<KeyId> OrderSearch::rows_only_read(TxnId txn) const {
  std::vector<KeyId> read;
  std::vector<KeyId> written;
  for (const Op number : history_.ops(txn)) {
    const rows::RowOp& op = history_.info().rows->op(number);
    (op.is_read() ? read : written).push_back(op.row);
  }
  for (std::vector<KeyId>* rows : {&read, &written}) {
    std::ranges::sort(*rows);
    rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
  }
  std::vector<KeyId> only_read;
  std::ranges::set_difference(read, written, std::back_inserter(only_read));
  return only_read;
}

Validity OrderSearch::run(ReplayBudget& budget) {
  budget_ = &budget;
  if (needs_.impossible()) {
    return Validity::kInvalid;
  }
  std::vector<Change> first_starts;
  start_all(first_starts);
  memo_.insert(state_);
  std::vector<Frame> frames;
  const auto begin_frame = [&] {
    frames.push_back({.order_size = order_.size()});
    begin_pass(frames.back(), Pass::kReaders);
  };
  begin_frame();
  while (!frames.empty()) {
    if (turns_.is_over()) {
      keep_last_starts();
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
      begin_frame();
    } else {
      undo(frames.back());
    }
  }
  return budget.work == 0 ? Validity::kUnknown : Validity::kInvalid;
}

/// Keeps the last start of each transaction and drops starts without a commit: a transaction may
/// have started several times.
void OrderSearch::keep_last_starts() {
  std::vector<bool> is_open(history_.txn_count(), false);
  std::vector<OrderEvent> kept;
  for (auto event = order_.rbegin(); event != order_.rend(); ++event) {
    if (event->is_commit || is_open[event->txn.index()]) {
      is_open[event->txn.index()] = event->is_commit;
      kept.push_back(*event);
    }
  }
  order_.assign(kept.rbegin(), kept.rend());
}

OrderSearch::Place OrderSearch::place(TxnId txn) const {
  return {turns_.line(txn), history_.has_invocation(txn) ? history_.invocation_id(txn) : EventId{0},
          txn};
}

void OrderSearch::note_idle(TxnId txn, bool is_idle) {
  if (has_two_events_ && turns_.line(txn) != Line::kReaders) {
    is_idle ? void(idle_.insert(place(txn))) : void(idle_.erase(place(txn)));
  }
}

/// Of those that wait, the next one, or with none() the first. Where there are two events, those in
/// flight need no look.
TxnId OrderSearch::next_in(Line line, TxnId after) const {
  if (!has_two_events_ || line == Line::kReaders) {
    return after.is_none() ? turns_.first(line) : turns_.after(after);
  }
  const auto next = after.is_none() ? idle_.lower_bound({line, EventId{0}, TxnId{0}})
                                    : idle_.upper_bound(place(after));
  return next != idle_.end() && std::get<Line>(*next) == line ? std::get<TxnId>(*next)
                                                              : TxnId::none();
}

void OrderSearch::begin_pass(Frame& frame, Pass pass) const {
  frame.pass = pass;
  frame.next = next_in(pass == Pass::kReaders    ? Line::kReaders
                       : pass == Pass::kOptional ? Line::kOptional
                                                 : Line::kWriters,
                       TxnId::none());
  frame.last_commit.reset();
}

/// Makes the next move from this state; false if there is none left.
bool OrderSearch::advance(Frame& frame) {
  while (frame.pass != Pass::kOver && budget_->work > 0) {
    switch (frame.pass) {
      case Pass::kReaders:
        if (try_waiting(frame, Line::kReaders)) {
          frame.pass = Pass::kOver;  // no other move can be better
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

/// Tries the waiting transactions that fit, from the frame's place on. If transactions have two
/// events, writers that start_all() starts are left out.
bool OrderSearch::try_waiting(Frame& frame, Line line) {
  for (TxnId txn = frame.next; !txn.is_none() && budget_->work > 0; txn = next_in(line, txn)) {
    --budget_->work;
    if (turns_.is_beyond(txn)) {
      break;
    }
    const bool is_left = line == Line::kReaders || !is_started_at_once(txn);
    if (!is_left || !turns_.may_start(txn) || !fits(txn)) {
      continue;
    }
    const Effects& effects = carry_out_.effects();
    if (line == Line::kOptional && effects.empty()) {
      continue;
    }
    frame.next = next_in(line, txn);
    if (has_two_events_ && !effects.empty()) {
      start(txn, carry_out_.take_effects(), frame.changes);
      return true;
    }
    if (would_end(txn, effects, {})) {
      continue;
    }
    needs_.settle(txn);
    if (has_two_events_) {
      order_.push_back({txn, false});
    }
    commit(txn, carry_out_.take_effects(), frame);
    return true;
  }
  return false;
}

OrderSearch::Turn OrderSearch::turn(TxnId txn) const {
  return {history_.committed(txn) ? history_.completion_id(txn) : EventId::none(), txn};
}

/// Whether start_all() starts this writer.
bool OrderSearch::is_started_at_once(TxnId txn) const {
  return has_two_events_ && !may_write_more_[txn.index()];
}

/// Starts all that fit, but those that may write more if they start later. What starts late is from
/// now on among those whose commit is tried.
void OrderSearch::start_all(std::vector<Change>& changes) {
  for (const Line line : {Line::kWriters, Line::kOptional}) {
    for (TxnId txn = has_two_events_ ? next_in(line, TxnId::none()) : TxnId::none();
         !txn.is_none() && budget_->work > 0 && !turns_.is_beyond(txn); txn = next_in(line, txn)) {
      --budget_->work;
      if (!is_started_at_once(txn) || !turns_.may_start(txn)) {
        continue;
      }
      if (may_start_late_[txn.index()]) {
        changes.push_back({.txn = txn, .has_started = true});
        hold(txn, {});
      } else if (!fits(txn)) {
        continue;
      } else if (line == Line::kWriters || !carry_out_.effects().empty()) {
        start(txn, carry_out_.take_effects(), changes);
      }
    }
  }
}

/// Before a commit: those that start late, and read only what it overwrites. They start if they
/// fit, unless they write what it overwrites, too, and would have to start again.
void OrderSearch::start_readers(TxnId of, const Effects& effects, std::vector<Change>& changes) {
  std::vector<TxnId> readers;
  for (const auto& [row, state] : effects) {
    for (auto at = late_.lower_bound({row, TxnId{0}}); at != late_.end() && at->first == row;
         ++at) {
      readers.push_back(at->second);
    }
  }
  std::ranges::sort(readers);
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  std::erase(readers, of);
  if (readers.empty()) {
    return;
  }
  std::vector<KeyId> overwritten;
  std::ranges::transform(effects, std::back_inserter(overwritten), &Effects::value_type::first);
  std::ranges::sort(overwritten);
  spend(overwritten.size());
  const auto is_overwritten = [&](Op number) {
    const rows::RowOp& op = history_.info().rows->op(number);
    return !op.is_read() && std::ranges::binary_search(overwritten, op.row);
  };
  for (const TxnId reader : readers) {
    spend(1 + history_.ops(reader).size());
    if (std::ranges::none_of(history_.ops(reader), is_overwritten) && fits(reader)) {
      Effects own = carry_out_.take_effects();
      withdraw(reader, changes);
      start(reader, std::move(own), changes);
    }
  }
}

void OrderSearch::start(TxnId txn, Effects effects, std::vector<Change>& changes) {
  order_.push_back({txn, false});
  changes.push_back({.txn = txn, .has_started = true});
  hold(txn, std::move(effects));
}

void OrderSearch::withdraw(TxnId txn, std::vector<Change>& changes) {
  changes.push_back({.txn = txn, .effects = let_go(txn)});
}

/// Drops changes of transactions that started again and plan the same writes as before. So a row
/// with many writers costs no undo data.
void OrderSearch::drop_unchanged(std::vector<Change>& changes) const {
  std::vector<Change*> withdrawn;
  for (Change& change : changes) {
    if (!change.has_started) {
      withdrawn.push_back(&change);
    }
  }
  std::ranges::sort(withdrawn, {}, &Change::txn);
  for (Change& change : changes) {
    const auto before = std::ranges::lower_bound(withdrawn, change.txn, {}, &Change::txn);
    if (change.has_started && before != withdrawn.end() && (*before)->txn == change.txn &&
        (*before)->effects == in_flight_.at(turn(change.txn))) {
      (*before)->is_dropped = true;
      change.is_dropped = true;
    }
  }
  std::erase_if(changes, [](const Change& change) { return change.is_dropped; });
  changes.shrink_to_fit();
}

/// Has read, and is going to write that. If it starts late and writes nothing yet: is going to do
/// both.
void OrderSearch::hold(TxnId txn, Effects effects) {
  spend(1 + effects.size());
  note_idle(txn, false);
  has_read_[txn.index()] = !may_start_late_[txn.index()] || !effects.empty();
  if (has_read_[txn.index()]) {
    needs_.settle(txn);
    state_ ^= search::zobrist(kInFlightFeature + txn.value);
  } else {
    spend(only_read_[txn.index()].size());
    for (const KeyId row : only_read_[txn.index()]) {
      late_.emplace(row, txn);
    }
  }
  for (const auto& [row, state] : effects) {
    writers_[row.index()].push_back(txn);
    state_ ^= row_hash(row, state, std::uint64_t{txn.value} + 1);
  }
  in_flight_.emplace(turn(txn), std::move(effects));
}

/// Undoes hold().
Effects OrderSearch::let_go(TxnId txn) {
  Effects effects = std::move(in_flight_.extract(turn(txn)).mapped());
  for (const auto& [row, state] : effects) {
    std::vector<TxnId>& all = writers_[row.index()];
    const auto at = std::ranges::find(all.rbegin(), all.rend(), txn);  // usually near the end
    if (at != all.rend()) {
      all.erase(at.base() - 1);
    }
    state_ ^= row_hash(row, state, std::uint64_t{txn.value} + 1);
  }
  if (has_read_[txn.index()]) {
    state_ ^= search::zobrist(kInFlightFeature + txn.value);
    needs_.unsettle(txn);
  } else {
    spend(only_read_[txn.index()].size());
    for (const KeyId row : only_read_[txn.index()]) {
      late_.erase({row, txn});
    }
  }
  note_idle(txn, true);
  has_read_[txn.index()] = false;
  return effects;
}

/// The transactions in flight that write one of the rows, descending, without `but`.
std::vector<TxnId> OrderSearch::writers(const Effects& effects, TxnId but) const {
  std::vector<TxnId> all;
  for (const auto& [row, state] : effects) {
    std::ranges::copy(writers_[row.index()], std::back_inserter(all));
  }
  std::ranges::sort(all, std::ranges::greater());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase(all, but);
  return all;
}

/// Whether these writes end a version that another transaction still needs. `others` must start
/// again.
bool OrderSearch::would_end(TxnId txn, const Effects& effects, std::span<const TxnId> others) {
  spend(effects.size());
  needs_.settle(txn);
  for (const TxnId other : others) {
    spend(1 + history_.ops(other).size());
    needs_.unsettle(other);
  }
  const bool ends = needs_.would_end(table_, effects);
  std::ranges::for_each(others, [&](TxnId other) { needs_.settle(other); });
  needs_.unsettle(txn);
  return ends || (has_real_time_ && would_come_too_early(txn, effects, others));
}

/// Whether these writes make a row state that must last until a later-invoked reader, although an
/// earlier transaction that has not read yet did not find this state.
bool OrderSearch::would_come_too_early(TxnId txn, const Effects& effects,
                                       std::span<const TxnId> others) {
  const auto is_kept_from = [&](TxnId reader, KeyId row, const RowState& state, EventId last) {
    if (reader == txn || history_.completion_id(reader) >= last) {
      return false;
    }
    const bool has_read = has_read_[reader.index()] &&
                          !std::ranges::binary_search(others, reader, std::ranges::greater());
    return !has_read && did_not_find(reader, row, state);
  };
  for (const auto& [row, state] : effects) {
    const std::optional<EventId> last = needs_.last_reader(row, state);
    if (!last) {
      continue;
    }
    for (const Line line : {Line::kReaders, Line::kWriters}) {
      for (TxnId reader = turns_.first(line);
           !reader.is_none() && history_.invocation_id(reader) < turn(txn).first;
           reader = turns_.after(reader)) {
        spend(1);
        if (is_kept_from(reader, row, state, *last)) {
          return true;
        }
      }
    }
  }
  return false;
}

/// Whether the transaction's reads before its first write show another state of the row.
bool OrderSearch::did_not_find(TxnId txn, KeyId row, const RowState& state) {
  for (const Op number : history_.ops(txn)) {
    const rows::RowOp& op = history_.info().rows->op(number);
    if (!op.is_read()) {
      return false;
    }
    const bool tells = op.has_predicate() ? lists_all_rows(op) : op.row == row;
    spend(1 + (tells ? op.shown_count : 0U));
    if (tells && !carry_out_.agrees(op, row, state)) {
      return true;
    }
  }
  return false;
}

/// Tries the next transaction in flight whose commit ends no version that another needs.
bool OrderSearch::try_commit(Frame& frame) {
  auto at = frame.last_commit ? in_flight_.upper_bound(*frame.last_commit) : in_flight_.begin();
  for (; at != in_flight_.end() && budget_->work > 0; ++at) {
    frame.last_commit = at->first;
    if (try_commit(at->first.second, frame)) {
      return true;
    }
  }
  return false;
}

/// Tries to commit the transaction. Others in flight that write the same rows must start again.
bool OrderSearch::try_commit(TxnId txn, Frame& frame) {
  spend(1);
  const bool is_late = !has_read_[txn.index()];
  if (is_late && !fits(txn)) {
    return false;
  }
  Effects effects = is_late ? carry_out_.take_effects() : in_flight_.at(turn(txn));
  start_readers(txn, effects, frame.changes);
  const std::vector<TxnId> others = writers(effects, txn);
  if (!is_late) {
    needs_.unsettle(txn);
  }
  const bool ends = would_end(txn, effects, others);
  if (!is_late) {
    needs_.settle(txn);
  }
  if (ends) {
    undo(frame.changes);
    order_.resize(frame.order_size);
    return false;
  }
  for (const auto& [row, state] : effects) {
    writers_[row.index()].clear();  // all of them are withdrawn
  }
  withdraw(txn, frame.changes);
  std::ranges::for_each(others, [&](TxnId other) { withdraw(other, frame.changes); });
  needs_.settle(txn);
  if (is_late) {
    order_.push_back({txn, false});
  }
  commit(txn, std::move(effects), frame);
  return true;
}

/// Commits a transaction that has read: its writes take effect.
void OrderSearch::commit(TxnId txn, Effects effects, Frame& frame) {
  turns_.take(txn);
  note_idle(txn, false);
  state_ ^= search::zobrist(kTakenFeature + txn.value);
  frame.committed = txn;
  frame.undo.reserve(effects.size());
  for (auto& [row, state] : effects) {
    state_ ^= row_hash(row, table_.row(row), 0);
    state_ ^= row_hash(row, state, 0);
    const std::uint64_t stamp = table_.stamp(row);
    frame.undo.push_back({row, table_.set(row, std::move(state)), stamp});
  }
  order_.push_back({txn, true});
  turns_.finish(txn);
  start_all(frame.changes);
  drop_unchanged(frame.changes);
}

/// Undoes the frame's move.
void OrderSearch::undo(Frame& frame) {
  if (const TxnId txn = frame.committed; !txn.is_none()) {
    turns_.unfinish(txn);
    for (auto at = frame.undo.rbegin(); at != frame.undo.rend(); ++at) {
      state_ ^= row_hash(at->row, table_.row(at->row), 0);
      state_ ^= row_hash(at->row, at->state, 0);
      table_.restore(at->row, std::move(at->state), at->stamp);
    }
    state_ ^= search::zobrist(kTakenFeature + txn.value);
    needs_.unsettle(txn);
    turns_.give_back(txn);
    note_idle(txn, true);
  }
  undo(frame.changes);
  order_.resize(frame.order_size);
  frame.committed = TxnId::none();
  frame.undo.clear();
}

void OrderSearch::undo(std::vector<Change>& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (change->has_started) {
      static_cast<void>(let_go(change->txn));
    } else {
      hold(change->txn, std::move(change->effects));
    }
  }
  changes.clear();
}

}  // namespace elapid::replay
