// Operations that may see old versions of rows: at repeatable read and read committed.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/argue/trial_run.h"

namespace elapid::argue {

using replay::RowState;
using rows::RowOp;

void Trial::check_past(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row,
                       const Outcome& outcome) {
  if (!misfit(op, row, outcome, view(row))) {
    return;
  }
  Failure failure = {
      .kind = Failure::Kind::kVersions, .txn = txn, .mop = mop, .row = row, .as = outcome.as};
  if (has_first_version(row)) {
    const std::optional<Parts> parts = misfit(op, row, outcome, state_.at_first(row));
    if (!parts) {
      return;
    }
    FormerVersion& version = failure.versions.emplace_back(TxnId::none());
    for (const std::uint32_t part : *parts) {
      version.causes.push_back({row, part});
    }
  }
  for (const TxnId writer : writes_.writers(row, kRowVersion)) {
    const TrialState::Moment at = state_.committed_at(writer);
    if (at == TrialState::kNever) {
      continue;
    }
    ++result_.looked;
    const std::optional<Parts> parts = misfit(op, row, outcome, state_.state(row, at));
    if (!parts) {
      return;
    }
    FormerVersion& version = failure.versions.emplace_back(writer);
    Explanation why = explanation();
    why.add(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), row, *parts);
    if (why.is_too_long()) {
      result_.is_too_long = true;
      return;
    }
    why.move_causes_to(version);
  }
  result_.failures.push_back(std::move(failure));
}

bool Trial::has_first_version(KeyId row) const {
  const auto writers = state_.writers_so_far(row);
  return writers.empty() || writers.front() != certain_initial(history_);
}

Chances Trial::chances(const RowOp& op, KeyId row, std::span<const FoundKind> kinds) {
  Chances all = {.row = row, .may_be = std::vector<bool>(kinds.size(), false)};
  const auto note = [&](const RowState& state) {
    all.may_be_missed = all.may_be_missed || !state_.matches(op, row, state);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      all.may_be[kind] = all.may_be[kind] || !misfit(op, row, kinds[kind].outcome, state);
    }
  };
  note(view(row));
  if (own_.contains(row)) {
    return all;
  }
  if (has_first_version(row)) {
    note(state_.at_first(row));
  }
  const auto writers = state_.writers_so_far(row);
  writes_.note_looked(writers.size() * kinds.size());
  for (const TxnId writer : writers) {
    note(state_.state(row, state_.committed_at(writer)));
  }
  return all;
}

bool Trial::may_ever_be(KeyId row) const {
  return rows_.is_row(row) && (!rows_.is_closed() || !writes_.writers(row, kRowVersion).empty());
}

void Trial::check_chances(TxnId txn, std::uint32_t mop, const RowOp& op) {
  if (fits_now(op)) {
    return;
  }
  const std::vector<FoundKind> kinds = kinds_found(rows_, op);
  std::vector<Chances> rows;
  writes_.note_looked(history_.key_count());
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    if (may_ever_be(row)) {
      rows.push_back(chances(op, row, kinds));
    }
  }
  if (std::optional<Miscount> count = miscount(kinds, rows)) {
    fail_count(txn, mop, op, kinds, *std::move(count));
  }
}

void Trial::choose_rows(TxnId txn, std::uint32_t mop, const RowOp& op) {
  std::set<KeyId> taken(found_.begin(), found_.end());
  std::set<KeyId> chosen;
  options_.choices->each(txn, mop, [&](KeyId row, bool holds) {
    check_match(txn, mop, op, row, holds ? kFound : kMissed);
    chosen.insert(row);
    if (!own_.contains(row)) {
      holds ? void(taken.insert(row)) : void(taken.erase(row));
    }
  });
  const std::vector<FoundKind> kinds = kinds_found(rows_, op);
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    const bool is_too_few = taken.size() < kinds.front().least;
    const bool is_too_many = taken.size() > kinds.front().most;
    if (!is_too_few && !is_too_many) {
      break;
    }
    writes_.note_looked(1);
    if (chosen.contains(row) || own_.contains(row) || !may_ever_be(row) ||
        taken.contains(row) == is_too_few) {
      continue;
    }
    ++result_.looked;
    const Chances one = chances(op, row, kinds);
    if (is_too_many && one.may_be_missed) {
      taken.erase(row);
    } else if (is_too_few && one.may_be.front() && view(row).is_alive) {
      taken.insert(row);
    }
  }
  if (taken.size() < kinds.front().least || taken.size() > kinds.front().most) {
    std::vector<Chances> rows;
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      if (may_ever_be(row)) {
        rows.push_back({row, !taken.contains(row), {taken.contains(row)}});
      }
    }
    fail_count(txn, mop, op, kinds, miscount(kinds, rows).value());
  }
  if (has_one_state_) {
    std::set<KeyId> looked_at = taken;
    looked_at.insert(found_.begin(), found_.end());
    for (const KeyId row : looked_at) {
      if (!chosen.contains(row)) {
        check_match(txn, mop, op, row, taken.contains(row) ? kFound : kMissed);
      }
    }
    looked_at.insert(chosen.begin(), chosen.end());
    look_wide({mop, kMissed, {}, std::move(looked_at)});
  }
  found_.assign(taken.begin(), taken.end());
  std::erase_if(found_, [&](KeyId row) { return !view(row).is_alive; });
}

void Trial::fail_count(TxnId txn, std::uint32_t mop, const RowOp& op,
                       std::span<const FoundKind> kinds, Miscount count) {
  if (count.rows.size() > options_.most_causes) {
    result_.is_too_long = true;
    return;
  }
  const std::vector<KeyId> rows = count.rows;
  std::vector<Outcome> outcomes;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const bool is_among = std::ranges::find(count.kinds, kind) != count.kinds.end();
    if (is_among == count.is_too_few) {
      outcomes.push_back(kinds[kind].outcome);
    }
  }
  if (!count.is_too_few) {
    outcomes.push_back(kMissed);
  }
  result_.failures.push_back(
      {.kind = Failure::Kind::kCount, .txn = txn, .mop = mop, .count = std::move(count)});
  for (const KeyId row : rows) {
    for (const Outcome& outcome : outcomes) {
      const std::uint32_t as = outcome.is_found ? outcome.as : kAsFound;
      const auto chosen = options_.choices->get(txn, mop, row, as);
      if (chosen.value_or(outcome.is_found) == outcome.is_found) {
        check_match(txn, mop, op, row, outcome);
      }
    }
  }
}

}  // namespace elapid::argue
