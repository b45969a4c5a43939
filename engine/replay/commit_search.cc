#include "engine/replay/commit_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

/// The number of waiting transactions to try, about as many as may overlap.
constexpr std::size_t kWindow = 400;
/// The greatest depth of transactions that are brought for one another.
constexpr std::size_t kDeepest = 1000;
/// The most transactions to bring for one transaction, besides the writers that it read from.
constexpr std::size_t kMostBlockers = 16;
/// The number of rows and versions looked at that costs as much as one operation tried.
constexpr std::uint64_t kLookedInOne = 8;
/// The number of operations tried between two calls of `keep_going`.
constexpr std::uint64_t kWorkAQuestion = 1000;
/// The number of last versions of a row to look at before its index is used.
constexpr std::size_t kLastVersions = 64;

}  // namespace

CommitSearch::CommitSearch(const History& history, Stale stale, const RowContents& beginning)
    : history_(history),
      rows_(*history.info().rows),
      stale_(stale),
      table_(history),
      carry_out_(history, table_),
      needs_(history),
      touches_(history, needs_),
      standing_(history.txn_count(), Standing::kWaiting),
      versions_(history.key_count(), std::vector<RowState>(1)),
      has_no_beginning_(history.key_count(), false),
      can_exchange_(can_exchange()) {
  for (const auto& [row, state] : beginning) {
    table_.set(row, state);
    versions_[row.index()].front() = state;
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      by_completion_.push_back(txn);
    }
  }
  const TxnId initial = history.info().initial_txn;
  std::ranges::stable_sort(by_completion_, {}, [&](TxnId txn) {
    return std::pair(txn != initial, history_.completion_id(txn));
  });
  // A row that may be found in any earlier version need not stay as it is.
  for (std::size_t place = 0; place < history.all_ops().size(); ++place) {
    if (is_of_any_version(rows_.op(history.all_ops()[place]))) {
      needs_.settle(place);
    }
  }
}

bool CommitSearch::run(ReplayBudget& budget) {
  if (!std::ranges::all_of(rows_.ops(), can_be_told)) {
    return false;
  }
  budget_ = &budget;
  while (first_waiting_ < by_completion_.size() && goes_on() && bring_next()) {
  }
  budget.work -= std::min(budget.work, work());
  return first_waiting_ == by_completion_.size();
}

std::uint64_t CommitSearch::work() const {
  return tried_ + looked_ / kLookedInOne;
}

/// Whether budget is left. Once it is spent, this stays false.
bool CommitSearch::goes_on() {
  is_spent_ = is_spent_ || work() >= budget_->work;
  if (!is_spent_ && work() >= next_question_ && budget_->keep_going) {
    next_question_ = work() + kWorkAQuestion;
    is_spent_ = !budget_->keep_going();
  }
  return !is_spent_;
}

std::vector<TakenRow> CommitSearch::taken() const {
  std::vector<TakenRow> all = taken_;
  all.insert(all.end(), ended_by_key_.begin(), ended_by_key_.end());
  std::ranges::sort(all);
  return all;
}

/// Brings the first transaction that fits, by completion. If none fits, brings the first that ends
/// a version that others need.
bool CommitSearch::bring_next() {
  while (first_waiting_ < by_completion_.size() &&
         standing_[by_completion_[first_waiting_].index()] == Standing::kDone) {
    ++first_waiting_;
  }
  const std::size_t end = std::min(by_completion_.size(), first_waiting_ + kWindow);
  const EventId now = first_waiting_ < end ? history_.completion_id(by_completion_[first_waiting_])
                                           : EventId::none();
  const auto brings_one = [&](bool of_overlapping) {
    for (std::size_t at = first_waiting_; at < end; ++at) {
      const TxnId txn = by_completion_[at];
      const bool overlaps = !history_.has_invocation(txn) || history_.invocation_id(txn) <= now;
      if (standing_[txn.index()] == Standing::kWaiting && overlaps == of_overlapping &&
          bring(txn, 0)) {
        return true;
      }
    }
    return false;
  };
  for (const bool of_overlapping : {true, false}) {
    for (const Mercy mercy : {Mercy::kNone, Mercy::kExchanges, Mercy::kEnds}) {
      mercy_ = mercy;
      if (brings_one(of_overlapping)) {
        return true;
      }
    }
  }
  return first_waiting_ == by_completion_.size();
}

/// Whether the transaction has committed. First brings the transactions that must precede it.
bool CommitSearch::bring(TxnId txn, std::size_t depth) {
  Standing& standing = standing_[txn.index()];
  if (standing != Standing::kWaiting || depth > kDeepest || !goes_on()) {
    return standing == Standing::kDone;
  }
  ++tried_;
  standing = Standing::kOnPath;
  bool is_possible = true;
  needs_.each_need(txn, [&](std::uint32_t /*number*/, TxnId writer) {
    is_possible = is_possible && bring(writer, depth + 1);
  });
  for (std::size_t tries = 0; is_possible && tries < kMostBlockers; ++tries) {
    if (fits(txn)) {
      commit(txn);
      standing = Standing::kDone;
      return true;
    }
    is_possible = !blocker_.is_none() && bring(blocker_, depth + 1);
  }
  standing = Standing::kWaiting;
  return false;
}

/// Whether the transaction can commit next. Then own_ has its writes.
bool CommitSearch::fits(TxnId txn) {
  own_.clear();
  taken_now_.clear();
  blocker_ = TxnId::none();
  const auto fits_next = [&](Op op) {
    ++tried_;
    return goes_on() && fits_one(txn, rows_.op(op));
  };
  if (!std::ranges::all_of(history_.ops(txn), fits_next)) {
    return false;
  }
  settle(txn);
  const bool ends = mercy_ < Mercy::kEnds && needs_.would_end(table_, own_);
  unsettle(txn);
  return !ends;
}

bool CommitSearch::is_of_any_version(const RowOp& op) const {
  return op.kind == RowOpKind::kPredicateRead ||
         (op.kind == RowOpKind::kRead && stale_ == Stale::kAllReads);
}

void CommitSearch::settle(TxnId txn) {
  std::size_t place = history_.first_op(txn);
  for (const Op op : history_.ops(txn)) {
    if (!is_of_any_version(rows_.op(op))) {
      needs_.settle(place);
    }
    ++place;
  }
}

void CommitSearch::unsettle(TxnId txn) {
  std::size_t place = history_.first_op(txn);
  for (const Op op : history_.ops(txn)) {
    if (!is_of_any_version(rows_.op(op))) {
      needs_.unsettle(place);
    }
    ++place;
  }
}

bool CommitSearch::fits_one(TxnId txn, const RowOp& op) {
  if (is_unnamed(op)) {
    const auto ops = history_.ops(txn);
    const auto at = std::ranges::find_if(ops, [&](Op one) { return &rows_.op(one) == &op; });
    return choose_rows(txn, op,
                       history_.first_op(txn) + static_cast<std::size_t>(at - ops.begin()));
  }
  return !op.has_predicate()  ? fits_row(txn, op)
         : lists_all_rows(op) ? fits_listed(op)
                              : fits_count(op);
}

const RowState* CommitSearch::own(KeyId row) const {
  const auto found = std::ranges::find(own_, row, [](const auto& effect) { return effect.first; });
  return found == own_.end() ? nullptr : &found->second;
}

/// Whether an operation on one row fits.
bool CommitSearch::fits_row(TxnId txn, const RowOp& op) {
  if (op.kind == RowOpKind::kRead && stale_ == Stale::kAllReads && own(op.row) == nullptr) {
    return was_ever(op, op.row);
  }
  if (carry_out_.fits(op, own_)) {
    own_ = carry_out_.take_effects();
    return true;
  }
  if (op.kind == RowOpKind::kInsert && mercy_ > Mercy::kNone && own(op.row) == nullptr &&
      kill(op.row)) {
    return fits_row(txn, op);
  }
  const RowTouches::Touch* next = next_touch(op.row, txn);
  const bool is_made = op.kind == RowOpKind::kUpdate && next != nullptr && next->is_insert;
  blocker_ = is_made ? next->txn : TxnId::none();
  return false;
}

/// Whether an operation with a predicate fits whose result lists its rows: each row must have been,
/// at some time, as it was found.
bool CommitSearch::fits_listed(const RowOp& op) {
  const auto may_be = [&](KeyId row) {
    const RowState* const written = own(row);
    return written != nullptr ? carry_out_.agrees(op, row, *written) : was_ever(op, row);
  };
  const auto is_alive = [&](KeyId row) {
    const RowState* const written = own(row);
    return written != nullptr ? written->is_alive : table_.row(row).is_alive;
  };
  const bool is_found =
      std::ranges::all_of(rows_.shown(op),
                          [&](const ShownRow& shown) {
                            return may_be(shown.row) && (op.is_read() || is_alive(shown.row));
                          }) &&
      std::ranges::all_of(carry_out_.matches(op, own_), may_be);
  if (is_found && !op.is_read()) {
    std::vector<KeyId> written;
    for (const ShownRow& shown : rows_.shown(op)) {
      written.push_back(shown.row);
    }
    std::ranges::sort(written);
    carry_out_.write(op, own_, written);
    own_ = carry_out_.take_effects();
  }
  return is_found;
}

/// Whether a result without rows, or with a limit, fits the current rows.
bool CommitSearch::fits_count(const RowOp& op) {
  if (!carry_out_.fits(op, own_)) {
    return false;
  }
  own_ = carry_out_.take_effects();
  return true;
}

bool CommitSearch::is_match(const RowOp& op, KeyId row, const RowState& state) const {
  return table_.is_match(rows_.predicate(op), row, state);
}

bool CommitSearch::was_ever(const RowOp& op, KeyId row) const {
  const auto agrees = [&](const RowState& state) {
    ++looked_;
    return carry_out_.agrees(op, row, state);
  };
  const std::span<const RowState> all = versions_[row.index()];
  const std::size_t first = has_no_beginning_[row.index()] ? 1 : 0;
  const std::size_t old = all.size() - std::min(all.size() - first, kLastVersions);
  const std::span<const RowState> last = all.subspan(old);
  if (agrees(all[first]) || std::any_of(last.rbegin(), last.rend(), agrees)) {
    return true;
  }
  const auto shown = std::ranges::find(rows_.shown(op), row, &ShownRow::row);
  const std::vector<std::size_t>* const holding =
      old == first || shown == rows_.shown(op).end() ? nullptr : holders(op, *shown);
  if (holding == nullptr) {
    return std::ranges::any_of(all.subspan(first, old - first), agrees);
  }
  return std::ranges::any_of(
      *holding, [&](std::size_t version) { return version >= first && agrees(all[version]); });
}

/// The only versions of the row that can hold what was shown, by the smallest index entry; null if
/// nothing was shown that the index covers.
const std::vector<std::size_t>* CommitSearch::holders(const RowOp& op,
                                                      const ShownRow& shown) const {
  static const std::vector<std::size_t> kNone;
  Holders& known = holders_[shown.row];
  const std::vector<RowState>& versions = versions_[shown.row.index()];
  for (; known.count < versions.size(); ++known.count) {
    const RowState& state = versions[known.count];
    looked_ += 1 + state.record.fields().size();
    known.by_value[{rows::ColumnId::none(), state.version}].push_back(known.count);
    for (const rows::Field& field : state.record.fields()) {
      known.by_value[{field.column, field.value}].push_back(known.count);
    }
  }
  const std::vector<std::size_t>* fewest = nullptr;
  const auto look_up = [&](rows::ColumnId column, ValueId what) {
    const auto found = known.by_value.find({column, what});
    const std::vector<std::size_t>* const all =
        found == known.by_value.end() ? &kNone : &found->second;
    fewest = fewest == nullptr || all->size() < fewest->size() ? all : fewest;
  };
  if (op.known == Known::kVersions) {
    look_up(rows::ColumnId::none(), shown.version);
    return fewest;
  }
  for (const rows::Field& field : rows_.fields(shown)) {
    if (!field.value.is_nil()) {  // a missing column is read as null
      look_up(field.column, field.value);
    }
  }
  return fewest;
}

CommitSearch::Candidate CommitSearch::candidate(TxnId txn, const RowOp& op, KeyId row,
                                                std::span<const KeyId> certain) const {
  const RowState& state = table_.row(row);
  Candidate one = {.row = row, .last_read = needs_.last_read(op, row, state)};
  one.is_certain = std::ranges::find(certain, row) != certain.end() || own(row) != nullptr;
  one.is_old = own(row) == nullptr && !is_match(op, row, state);
  one.may_be_missed = own(row) == nullptr && was_ever(op, row);
  one.is_read = history_.committed(txn) && one.last_read > history_.completion_id(txn);
  if (op.kind == RowOpKind::kPredicateDelete) {
    const RowTouches::Touch* next = next_touch(row, txn);
    one.is_used = next != nullptr && !next->is_insert;
    one.next_insert = next != nullptr && next->is_insert ? next->at : EventId::none();
  }
  return one;
}

/// Adds rows that are alive, do not match now, and matched once.
void CommitSearch::add_former_matches(TxnId txn, const RowOp& op, std::span<const KeyId> certain,
                                      std::vector<Candidate>& candidates) const {
  looked_ += history_.key_count();
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    const bool is_former =
        table_.row(row).is_alive && own(row) == nullptr && !is_match(op, row, table_.row(row)) &&
        was_ever(row, [&](const RowState& state) { return is_match(op, row, state); });
    if (is_former) {
      candidates.push_back(candidate(txn, op, row, certain));
    }
  }
}

/// Chooses which of the matching rows the operation wrote: first the rows that it certainly wrote,
/// then rows that no other transaction needs.
bool CommitSearch::choose_rows(TxnId txn, const RowOp& op, std::size_t place) {
  const std::span<const KeyId> certain = needs_.rows_written_by(place);
  std::vector<Candidate> candidates;
  for (const KeyId row : std::vector<KeyId>(carry_out_.matches(op, own_))) {
    candidates.push_back(candidate(txn, op, row, certain));
  }
  const auto is_needed = [](const Candidate& one) { return one.is_certain || !one.may_be_missed; };
  const auto is_free = [&](const Candidate& one) {
    return is_needed(one) || !(one.is_used || one.is_read);
  };
  const bool is_count = op.known == Known::kCount;
  const auto good = static_cast<std::size_t>(std::ranges::count_if(candidates, is_free));
  if (good < op.count || std::ranges::any_of(certain, [&](KeyId row) {
        return std::ranges::find(candidates, row, &Candidate::row) == candidates.end();
      })) {
    add_former_matches(txn, op, certain, candidates);
  }
  std::ranges::sort(candidates, {}, [&](const Candidate& one) {
    return std::tuple(!is_needed(one), one.is_used, one.is_read, one.is_old, one.next_insert,
                      one.last_read, table_.stamp(one.row));
  });
  std::size_t count = op.count;
  if (!is_count) {
    count = static_cast<std::size_t>(std::ranges::count_if(candidates, is_free));
    count = op.known == Known::kAny && op.count == 0 ? 0 : std::max<std::size_t>(count, op.count);
  }
  if (mercy_ == Mercy::kExchanges) {
    std::erase_if(candidates, [&](const Candidate& one) { return one.is_used && !is_needed(one); });
  }
  while (candidates.size() < count) {
    const std::optional<KeyId> row = mercy_ > Mercy::kNone ? revive(op, candidates) : std::nullopt;
    if (!row) {
      return false;
    }
    candidates.push_back(candidate(txn, op, *row, certain));
  }
  const bool has_all_certain = std::ranges::all_of(certain, [&](KeyId row) {
    return std::ranges::find(candidates, row, &Candidate::row) != candidates.end();
  });
  if (!has_all_certain ||
      static_cast<std::size_t>(std::ranges::count_if(candidates, is_needed)) > count) {
    return false;
  }
  candidates.resize(count);
  const auto used = std::ranges::find_if(
      candidates, [&](const Candidate& one) { return one.is_used && !is_needed(one); });
  if (used != candidates.end() && mercy_ < Mercy::kEnds) {
    blocker_ = next_touch(used->row, txn)->txn;
    return false;
  }
  std::vector<KeyId> written;
  for (const Candidate& one : candidates) {
    written.push_back(one.row);
    taken_now_.push_back(
        {txn, static_cast<std::uint32_t>(place - history_.first_op(txn)), one.row});
  }
  std::ranges::sort(written);
  carry_out_.write(op, own_, written);
  own_ = carry_out_.take_effects();
  return true;
}

/// Notes the rows that the transaction's deletes by key find.
void CommitSearch::note_ended_by_key(TxnId txn) {
  std::uint32_t mop = 0;
  for (const Op place : history_.ops(txn)) {
    const RowOp& op = rows_.op(place);
    if (op.kind == RowOpKind::kDelete && table_.row(op.row).is_alive) {
      ended_by_key_.push_back({txn, mop, op.row});
    }
    ++mop;
  }
}

void CommitSearch::commit(TxnId txn) {
  settle(txn);
  note_ended_by_key(txn);
  note_kills(txn);
  const bool is_initial = txn == history_.info().initial_txn && history_.committed(txn);
  for (auto& [row, state] : own_) {
    versions_[row.index()].push_back(state);
    has_no_beginning_[row.index()] = has_no_beginning_[row.index()] || is_initial;
    table_.set(row, std::move(state));
  }
  for (auto kill = kills_.rbegin(); kill != kills_.rend() && kill->dead == 0; ++kill) {
    kill->dead = table_.stamp(kill->row);
  }
  hopeless_.clear();
  order_.push_back({txn, true});
  taken_.insert(taken_.end(), taken_now_.begin(), taken_now_.end());
}

}  // namespace elapid::replay
