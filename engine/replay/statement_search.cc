#include "engine/replay/statement_search.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/replay/state_hash.h"

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr std::size_t kPasses = 3;
/// The number of former versions looked at that costs as much as one operation tried.
constexpr std::uint64_t kVersionsInOne = 8;
constexpr std::uint64_t kDoneFeature = std::uint64_t{1} << 60;
constexpr std::uint64_t kCommittedFeature = std::uint64_t{1} << 61;

}  // namespace

bool is_unnamed(const RowOp& op) {
  return op.kind > RowOpKind::kPredicateRead && !op.names_rows();
}

bool can_be_told(const RowOp& op) {
  return !op.has_predicate() ||
         (is_unnamed(op) ? op.first == 0 && op.known != Known::kBag
                         : op.known != Known::kBag || op.first == 0 || op.shown_count < op.first);
}

StatementSearch::StatementSearch(const History& history, Stale stale, const RowContents& beginning)
    : history_(history),
      rows_(*history.info().rows),
      stale_(stale),
      table_(history),
      carry_out_(history, table_),
      needs_(history),
      turns_(history, {Visibility::kSerial, true, true}),
      progress_(history.txn_count()),
      holder_(history.key_count(), TxnId::none()),
      readers_(history.key_count(), 0),
      versions_(history.key_count(), std::vector<RowState>(1)),
      has_no_beginning_(history.key_count(), false),
      taken_(history.all_ops().size()),
      obstacle_(history.txn_count(), KeyId::none()),
      obstacle_stamp_(history.txn_count(), 0) {
  for (const auto& [row, state] : beginning) {
    table_.set(row, state);
    versions_[row.index()].front() = state;
  }
}

bool StatementSearch::run(ReplayBudget& budget) {
  if (!history_.info().has_real_time || !std::ranges::all_of(rows_.ops(), can_be_told)) {
    return false;
  }
  budget_ = &budget;
  memo_.insert(state_);
  std::vector<Frame> frames(1);
  frames.back().candidates = candidates();
  while (!frames.empty()) {
    if (turns_.is_over()) {
      return true;
    }
    if (budget.work == 0 || memo_.size() >= budget.states ||
        (budget.keep_going && !budget.keep_going())) {
      return false;
    }
    budget.work -= std::min(budget.work, kCostOfMove);
    if (!advance(frames.back())) {
      frames.pop_back();
      if (!frames.empty()) {
        undo(frames.back());
      }
    } else if (memo_.insert(state_)) {
      frames.emplace_back().candidates = candidates();
    } else {
      undo(frames.back());
    }
  }
  return false;
}

std::vector<TakenRow> StatementSearch::taken() const {
  std::vector<TakenRow> all;
  for (const OrderEvent event : order_) {
    const std::size_t first = history_.first_op(event.txn);
    for (std::uint32_t mop = 0; mop < history_.ops(event.txn).size(); ++mop) {
      for (const KeyId row : taken_[first + mop]) {
        all.push_back({event.txn, mop, row});
      }
    }
  }
  std::ranges::sort(all);
  return all;
}

/// The transactions in flight and those that may start: by completion, with optional ones last.
std::vector<TxnId> StatementSearch::candidates() const {
  std::vector<TxnId> all = in_flight_;
  for (const Line line : {Line::kReaders, Line::kWriters, Line::kOptional}) {
    for (TxnId txn = turns_.first(line); !txn.is_none() && !turns_.is_beyond(txn);
         txn = turns_.after(txn)) {
      if (turns_.may_start(txn)) {
        all.push_back(txn);
      }
    }
  }
  std::ranges::stable_sort(all, {}, [&](TxnId txn) {
    return history_.committed(txn) ? history_.completion_id(txn) : EventId::none();
  });
  return all;
}

const RowOp* StatementSearch::next_op(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  const std::uint32_t next = progress_[txn.index()].next;
  return next < ops.size() ? &rows_.op(ops[next]) : nullptr;
}

/// Makes the next move from this state; false if there is none left.
bool StatementSearch::advance(Frame& frame) {
  if (frame.next == 0 && make_free_move(frame)) {
    return true;
  }
  const std::size_t count = frame.candidates.size();
  while (budget_->work > 0 && frame.next < kPasses * count) {
    const std::size_t move = frame.next++;
    const bool is_first = move < count;
    const bool is_old = (move - count) % 2 == 0;
    frame.pass = is_first ? Pass::kFirst : is_old ? Pass::kOld : Pass::kWriting;
    if (try_move(frame.candidates[is_first ? move : (move - count) / 2], frame)) {
      return true;
    }
  }
  return false;
}

/// Whether the transaction's next move loses nothing if it is made as soon as it fits.
bool StatementSearch::is_free(TxnId txn) const {
  if (!history_.committed(txn)) {
    return false;
  }
  const RowOp* op = next_op(txn);
  return op == nullptr ? progress_[txn.index()].effects.empty()
                       : op->kind == RowOpKind::kPredicateRead ||
                             (op->kind == RowOpKind::kRead && stale_ == Stale::kAllReads);
}

/// Makes a free move, if there is one. No other move of this state is tried after it.
bool StatementSearch::make_free_move(Frame& frame) {
  for (const TxnId txn : frame.candidates) {
    if (is_free(txn) && try_move(txn, frame)) {
      frame.next = kPasses * frame.candidates.size();
      return true;
    }
  }
  return false;
}

bool StatementSearch::try_move(TxnId txn, Frame& frame) {
  budget_->work -= std::min<std::uint64_t>(budget_->work, 1);
  if (next_op(txn) != nullptr) {
    return try_operation(txn, frame);
  }
  const Effects& effects = progress_[txn.index()].effects;
  const bool is_useless = !history_.committed(txn) && effects.empty();
  if (is_useless || frame.pass == Pass::kWriting ||
      needs_.would_end(table_, effects) != (frame.pass == Pass::kOld)) {
    return false;
  }
  commit(txn, frame);
  return true;
}

bool StatementSearch::try_operation(TxnId txn, Frame& frame) {
  const RowOp& op = *next_op(txn);
  written_.clear();
  if (frame.pass == Pass::kOld ? !may_fit(txn, op) : !fits(txn, op)) {
    return false;
  }
  if (!can_hold(txn, op) ||
      (frame.pass != Pass::kOld && would_end(txn) != (frame.pass == Pass::kWriting))) {
    return false;
  }
  carry_out(txn, op, frame);
  return true;
}

/// Whether the operation, whose effects carry_out_ has, ends a version that others still need. They
/// could find it until the commit, but no other transaction can write the row.
bool StatementSearch::would_end(TxnId txn) {
  if (written_.empty()) {
    return false;
  }
  needs_.settle(place(txn));
  const bool ends = needs_.would_end(table_, carry_out_.effects());
  needs_.unsettle(place(txn));
  return ends;
}

/// Whether the operation finds in the current rows what it did. Then carry_out_ has its effects.
bool StatementSearch::fits(TxnId txn, const RowOp& op) {
  const KeyId known = obstacle_[txn.index()];
  if (!known.is_none() && table_.stamp(known) == obstacle_stamp_[txn.index()]) {
    return false;
  }
  budget_->work -= std::min<std::uint64_t>(budget_->work, 1);
  if (!carry_out_.fits(op, progress_[txn.index()].effects)) {
    const std::optional<KeyId> row = carry_out_.obstacle();
    obstacle_[txn.index()] = row.value_or(KeyId::none());
    obstacle_stamp_[txn.index()] = row ? table_.stamp(*row) : 0;
    return false;
  }
  if (op.kind > RowOpKind::kPredicateRead) {
    written_ = carry_out_.matches();
  } else if (!op.is_read()) {
    written_.push_back(op.row);
  }
  return has_certain_rows(txn, written_) &&
         (!is_unnamed(op) ||
          std::ranges::none_of(written_, [&](KeyId row) { return is_left_alone(txn, op, row); }));
}

/// As fits(), for an operation that may find each row in an earlier state.
bool StatementSearch::may_fit(TxnId txn, const RowOp& op) {
  const Effects& own = progress_[txn.index()].effects;
  budget_->work -= std::min<std::uint64_t>(budget_->work, 10);
  if (is_unnamed(op)) {
    return choose_rows(txn, op);
  }
  const bool is_stale = op.has_predicate()
                            ? lists_all_rows(op)
                            : op.kind == RowOpKind::kRead && stale_ == Stale::kAllReads;
  if (!is_stale || !may_find(op, own)) {
    return false;
  }
  if (!op.is_read()) {
    for (const ShownRow& shown : rows_.shown(op)) {
      written_.push_back(shown.row);
    }
    std::ranges::sort(written_);
  }
  carry_out_.write(op, own, written_);
  return true;
}

/// Whether the row was ever as the operation found it. The transaction has not written the row.
bool StatementSearch::was_ever(const RowOp& op, KeyId row) const {
  const std::vector<RowState>& versions = versions_[row.index()];
  const std::ptrdiff_t first = has_no_beginning_[row.index()] ? 1 : 0;
  budget_->work -= std::min<std::uint64_t>(budget_->work, versions.size() / kVersionsInOne);
  return std::any_of(versions.begin() + first, versions.end(),
                     [&](const RowState& state) { return carry_out_.agrees(op, row, state); });
}

/// Whether each row that the operation concerns was ever as it found it.
bool StatementSearch::may_find(const RowOp& op, const Effects& own) {
  const auto may_be = [&](KeyId row) {
    const auto written =
        std::ranges::find(own, row, [](const auto& effect) { return effect.first; });
    return written != own.end() ? carry_out_.agrees(op, row, written->second) : was_ever(op, row);
  };
  if (!op.has_predicate()) {
    return may_be(op.row);
  }
  const auto is_alive = [&](KeyId row) {
    const auto written =
        std::ranges::find(own, row, [](const auto& effect) { return effect.first; });
    return written != own.end() ? written->second.is_alive : table_.row(row).is_alive;
  };
  return std::ranges::all_of(rows_.shown(op),
                             [&](const ShownRow& shown) {
                               return may_be(shown.row) && (op.is_read() || is_alive(shown.row));
                             }) &&
         std::ranges::all_of(carry_out_.matches(op, own), may_be);
}

/// Chooses among more matching rows than the operation wrote: first the rows that it certainly
/// wrote, then those that have matched for the longest time.
bool StatementSearch::choose_rows(TxnId txn, const RowOp& op) {
  const Effects& own = progress_[txn.index()].effects;
  std::vector<KeyId> rows = carry_out_.matches(op, own);
  if (op.known != Known::kCount || op.first > 0 || rows.size() <= op.count) {
    return false;
  }
  const std::span<const KeyId> certain = needs_.rows_written_by(place(txn));
  const auto may_be_missed = [&](KeyId row) {
    const auto is_row = [&](const auto& effect) { return effect.first == row; };
    // A row that agrees with an operation without listed rows does not match its predicate.
    return std::ranges::find(certain, row) == certain.end() && std::ranges::none_of(own, is_row) &&
           was_ever(op, row);
  };
  std::ranges::sort(rows, {}, [&](KeyId row) {
    return std::tuple(may_be_missed(row), is_left_alone(txn, op, row), table_.stamp(row));
  });
  const bool can_go = may_be_missed(rows[op.count]);
  rows.resize(op.count);
  std::ranges::sort(rows);
  if (!can_go || !has_certain_rows(txn, rows) ||
      std::ranges::any_of(rows, [&](KeyId row) { return is_left_alone(txn, op, row); })) {
    return false;
  }
  written_ = std::move(rows);
  carry_out_.write(op, own, written_);
  return true;
}

/// Whether the operation cannot have written the row in this state, since a transaction that was
/// invoked later reads it so.
bool StatementSearch::is_left_alone(TxnId txn, const RowOp& op, KeyId row) const {
  return history_.committed(txn) &&
         needs_.last_read(op, row, table_.row(row)) > history_.completion_id(txn);
}

/// Whether `rows`, ascending, contain all rows that the next operation certainly wrote.
bool StatementSearch::has_certain_rows(TxnId txn, std::span<const KeyId> rows) const {
  return std::ranges::all_of(needs_.rows_written_by(place(txn)),
                             [&](KeyId row) { return std::ranges::binary_search(rows, row); });
}

/// Whether no other transaction holds a lock that the operation needs.
bool StatementSearch::can_hold(TxnId txn, const RowOp& op) const {
  const Progress& progress = progress_[txn.index()];
  const auto is_free_of_writers = [&](KeyId row) {
    const TxnId holder = holder_[row.index()];
    return holder.is_none() || holder == txn;
  };
  const auto is_free_of_readers = [&](KeyId row) {
    return readers_[row.index()] ==
           static_cast<std::uint32_t>(std::ranges::count(progress.read, row));
  };
  if (op.kind == RowOpKind::kRead) {
    return stale_ == Stale::kAllReads || is_free_of_writers(op.row);
  }
  return std::ranges::all_of(
      written_, [&](KeyId row) { return is_free_of_writers(row) && is_free_of_readers(row); });
}

void StatementSearch::hold(const Progress& progress, TxnId by) {
  for (const KeyId row : progress.written) {
    holder_[row.index()] = by;
  }
  for (const KeyId row : progress.read) {
    by.is_none() ? --readers_[row.index()] : ++readers_[row.index()];
  }
}

/// Carries out the operation, whose effects carry_out_ has and whose writes are written_.
void StatementSearch::carry_out(TxnId txn, const RowOp& op, Frame& frame) {
  Progress& progress = progress_[txn.index()];
  frame.moved = txn;
  frame.before = progress;
  frame.has_committed = false;
  frame.has_started = progress.next == 0;
  if (frame.has_started) {
    turns_.take(txn);
    in_flight_.push_back(txn);
  }
  const std::size_t at = place(txn);
  needs_.settle(at);
  mix(txn);
  hold(progress, TxnId::none());
  state_ ^= search::zobrist(kDoneFeature + at);
  if (is_unnamed(op) || op.kind == RowOpKind::kDelete) {
    taken_[at] = written_;
  }
  progress.effects = carry_out_.take_effects();
  progress.written.insert(progress.written.end(), written_.begin(), written_.end());
  if (op.kind == RowOpKind::kRead && stale_ == Stale::kPredicates) {
    progress.read.push_back(op.row);
  }
  ++progress.next;
  hold(progress, txn);
  mix(txn);
  obstacle_[txn.index()] = KeyId::none();
}

void StatementSearch::commit(TxnId txn, Frame& frame) {
  Progress& progress = progress_[txn.index()];
  frame.moved = txn;
  frame.before = progress;
  frame.has_committed = true;
  frame.has_started = history_.ops(txn).empty();
  if (frame.has_started) {
    turns_.take(txn);
  } else {
    const auto at = std::ranges::find(in_flight_, txn);
    frame.in_flight_at = static_cast<std::size_t>(at - in_flight_.begin());
    in_flight_.erase(at);
  }
  mix(txn);
  hold(progress, TxnId::none());
  const bool is_initial = txn == history_.info().initial_txn && history_.committed(txn);
  for (auto& [row, state] : std::exchange(progress.effects, {})) {
    state_ ^= row_hash(row, table_.row(row), 0);
    state_ ^= row_hash(row, state, 0);
    versions_[row.index()].push_back(state);
    has_no_beginning_[row.index()] = has_no_beginning_[row.index()] || is_initial;
    const std::uint64_t stamp = table_.stamp(row);
    frame.undo.push_back({row, table_.set(row, std::move(state)), stamp});
  }
  state_ ^= search::zobrist(kCommittedFeature + txn.value);
  order_.push_back({txn, true});
  turns_.finish(txn);
}

/// Undoes the frame's move.
void StatementSearch::undo(Frame& frame) {
  const TxnId txn = frame.moved;
  Progress& progress = progress_[txn.index()];
  if (frame.has_committed) {
    turns_.unfinish(txn);
    order_.pop_back();
    state_ ^= search::zobrist(kCommittedFeature + txn.value);
    for (auto at = frame.undo.rbegin(); at != frame.undo.rend(); ++at) {
      state_ ^= row_hash(at->row, table_.row(at->row), 0);
      state_ ^= row_hash(at->row, at->state, 0);
      versions_[at->row.index()].pop_back();
      table_.restore(at->row, std::move(at->state), at->stamp);
    }
    frame.undo.clear();
    if (!frame.has_started) {
      in_flight_.insert(in_flight_.begin() + static_cast<std::ptrdiff_t>(frame.in_flight_at), txn);
    }
  } else {
    mix(txn);
    hold(progress, TxnId::none());
    --progress.next;
    const std::size_t at = place(txn);
    needs_.unsettle(at);
    state_ ^= search::zobrist(kDoneFeature + at);
    taken_[at].clear();
    if (frame.has_started) {
      in_flight_.pop_back();
    }
  }
  if (frame.has_started) {
    turns_.give_back(txn);
  }
  progress = std::move(frame.before);
  hold(progress, txn);
  mix(txn);
  obstacle_[txn.index()] = KeyId::none();
}

/// Adds the transaction's effects so far to the state's hash, or removes them.
void StatementSearch::mix(TxnId txn) {
  for (const auto& [row, state] : progress_[txn.index()].effects) {
    state_ ^= row_hash(row, state, std::uint64_t{txn.value} + 1);
  }
}

}  // namespace elapid::replay
