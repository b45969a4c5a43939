// Changes afterwards which rows a delete took, if its result does not list them. Example: D1
// deleted one of rows 1 and 2, and was given row 1. D2 deleted one row, and only row 1 fits. If
// nothing has touched the two rows since, D1 deleted row 2.
#include <algorithm>
#include <span>
#include <utility>

#include "engine/replay/commit_search.h"

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;

namespace {

/// The number of last deletes among which the search looks for one that took the wrong row.
constexpr std::size_t kMostKills = 2000;
constexpr std::size_t kMostReplaced = 300;
constexpr std::size_t kDeepestReplaced = 4;

}  // namespace

/// Whether no operation finds a difference if a row that none changes meanwhile dies earlier or
/// later. A read that lists its rows may find each as it was before it was inserted.
bool CommitSearch::can_exchange() const {
  return std::ranges::all_of(rows_.ops(), [&](const RowOp& op) {
    return op.kind != RowOpKind::kDelete &&
           (op.kind != RowOpKind::kRead || is_of_any_version(op)) &&
           (op.kind != RowOpKind::kPredicateRead || op.known == Known::kNothing ||
            lists_all_rows(op));
  });
}

/// Whether the row was absent at the beginning. So any predicate may find it absent.
bool CommitSearch::has_been_dead(KeyId row) const {
  return !has_no_beginning_[row.index()] && !versions_[row.index()].front().is_alive;
}

/// Notes the rows that a transaction deletes. Called just before it commits.
void CommitSearch::note_kills(TxnId txn) {
  const std::span<const Op> ops = history_.ops(txn);
  const RowOp* last = ops.empty() ? nullptr : &rows_.op(ops.back());
  if (!can_exchange_ || last == nullptr || last->kind != RowOpKind::kPredicateDelete) {
    return;
  }
  for (std::size_t i = 0; i < taken_now_.size(); ++i) {
    const TakenRow& one = taken_now_[i];
    const bool is_only = one.mop + 1 == ops.size() && own_.size() == taken_now_.size();
    if (is_only && table_.row(one.row).is_alive && has_been_dead(one.row)) {
      const std::uint64_t stamp = table_.stamp(one.row);
      kills_.push_back({.op = last,
                        .taken = taken_.size() + i,
                        .row = one.row,
                        .before = table_.row(one.row),
                        .alive = stamp,
                        .when = table_.next_stamp()});
    }
  }
}

/// Whether the delete could have taken this row, unchanged since then.
bool CommitSearch::could_kill(const Kill& kill, KeyId row) const {
  return table_.row(row).is_alive && table_.stamp(row) < kill.when && has_been_dead(row) &&
         was_ever(row, [&](const RowState& state) { return is_match(*kill.op, row, state); });
}

/// Makes the delete take this row instead.
void CommitSearch::exchange(Kill& kill, KeyId row) {
  const KeyId revived = kill.row;
  table_.restore(revived, std::move(kill.before), kill.alive);
  kill.alive = table_.stamp(row);
  kill.before = table_.set(row, {});
  kill.dead = table_.stamp(row);
  kill.row = row;
  taken_[kill.taken].row = row;
  versions_[row.index()].emplace_back();
  hopeless_.clear();
}

/// Gives the delete another row: one that is alive, or one that a later delete gives back.
bool CommitSearch::replace(Kill& kill, std::span<const Candidate> candidates, std::size_t depth) {
  kill.tried = attempts_;
  const auto is_free = [&](KeyId row) {
    const RowTouches::Touch* next = next_touch(row, TxnId::none());
    return (next == nullptr || next->is_insert) && own(row) == nullptr &&
           std::ranges::find(candidates, row, &Candidate::row) == candidates.end();
  };
  for (KeyId row{0}; row.index() < history_.key_count() && goes_on(); ++row.value) {
    ++looked_;
    if (could_kill(kill, row) && is_free(row)) {
      exchange(kill, row);
      return true;
    }
  }
  const std::size_t count = depth > 0 ? std::min(kills_.size(), kMostReplaced) : 0;
  for (Kill& later : std::span(kills_).last(count)) {
    const KeyId row = later.row;
    ++looked_;
    const bool may_help =
        goes_on() && later.tried < attempts_ && later.when > kill.when && later.alive < kill.when &&
        table_.stamp(row) == later.dead && is_free(row) &&
        was_ever(row, [&](const RowState& state) { return is_match(*kill.op, row, state); });
    if (may_help && replace(later, candidates, depth - 1)) {
      exchange(kill, row);
      return true;
    }
  }
  return false;
}

/// Brings back a dead row that matched the operation, if its delete could have taken another row.
std::optional<KeyId> CommitSearch::revive(const RowOp& op, std::span<const Candidate> candidates) {
  const auto is_equal = [&](const RowOp* other) {
    return rows_.predicate(*other) == rows_.predicate(op);
  };
  const bool is_first = candidates.empty() && own_.empty();
  if (is_first && std::ranges::any_of(hopeless_, is_equal)) {
    return std::nullopt;
  }
  const std::size_t count = std::min(kills_.size(), kMostKills);
  ++attempts_;
  for (Kill& kill : std::span(kills_).last(count)) {
    const KeyId row = kill.row;
    ++looked_;
    if (goes_on() && table_.stamp(row) == kill.dead && own(row) == nullptr &&
        kill.tried < attempts_ &&
        was_ever(row, [&](const RowState& state) { return is_match(op, row, state); }) &&
        replace(kill, candidates, kDeepestReplaced)) {
      return row;
    }
  }
  if (is_first) {
    hopeless_.push_back(&op);
  }
  return std::nullopt;
}

/// Lets a committed delete take this row in place of its own, if it could have. Returns whether one
/// does.
bool CommitSearch::kill(KeyId row) {
  const std::size_t count = std::min(kills_.size(), kMostKills);
  for (Kill& kill : std::span(kills_).last(count)) {
    const RowTouches::Touch* next = next_touch(kill.row, TxnId::none());
    ++looked_;
    if (goes_on() && table_.stamp(kill.row) == kill.dead && (next == nullptr || !next->is_insert) &&
        own(kill.row) == nullptr && could_kill(kill, row)) {
      exchange(kill, row);
      return true;
    }
  }
  return false;
}

}  // namespace elapid::replay
