// Transactions whose operations see one state: at read atomic.
//
// A transaction reads what a set of earlier ones left. Of two sets that fit all its looks their
// union fits, too. So the largest set is looked for: a writer is left out if a look cannot have
// seen its version of a row, where that would be the last one.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/argue/trial_run.h"

namespace elapid::argue {

using replay::RowState;
using rows::RowOp;

void Trial::look_wide(WideLook look) {
  look.looked_at.insert(found_.begin(), found_.end());
  for (const auto& [row, own] : own_) {
    look.looked_at.insert(row);
  }
  wide_.push_back(std::move(look));
}

void Trial::look_behind(TxnId writer) {
  const std::span<const KeyId> rows = state_.rows_left_by(writer);
  writes_.note_looked(rows.size() * wide_.size());
  for (const KeyId row : rows) {
    for (WideLook& look : wide_) {
      const bool is_beyond = look.last_key && number(row) > *look.last_key;
      if (!is_beyond && look.looked_at.insert(row).second) {
        looks_.push_back({look.mop, row, look.others});
      }
    }
  }
}

void Trial::look_at_count(TxnId txn, std::uint32_t mop, const RowOp& op) {
  counted_.push_back({mop, own_});
  const std::vector<FoundKind> kinds = kinds_found(rows_, op);
  options_.choices->each(txn, mop, [&](KeyId row, bool holds) {
    check_match(txn, mop, op, row, holds ? kFound : kMissed);
    for (const FoundKind& kind : kinds) {
      if (options_.choices->get(txn, mop, row, kind.outcome.as).value_or(false)) {
        check_match(txn, mop, op, row, kind.outcome);
      }
    }
  });
}

/// While more is left out, it only moves back.
TxnId Trial::last_seen(KeyId row) {
  const auto writers = state_.writers_so_far(row);
  std::ptrdiff_t& count = seen_.try_emplace(row, std::ranges::ssize(writers)).first->second;
  for (; count > 0 && unseen_.contains(writers[count - 1]); --count) {
    writes_.note_looked(1);
  }
  return count == 0 ? TxnId::none() : writers[count - 1];
}

RowState Trial::left_by(TxnId writer, KeyId row) const {
  return writer.is_none() ? state_.at_first(row) : state_.state(row, state_.committed_at(writer));
}

bool Trial::fits(TxnId txn, const Look& look, TxnId writer) {
  writes_.note_looked(1);
  return !misfit(writes_.op(txn, look.mop), look.row, look.outcome, left_by(writer, look.row));
}

void Trial::find_state(TxnId txn) {
  unseen_.clear();
  seen_.clear();
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      TxnId writer = last_seen(looks_[i].row);
      while (!fits(txn, looks_[i], writer)) {
        if (is_beginning(writer)) {
          return fail_state(txn, i);
        }
        unseen_.emplace(writer, i);
        look_behind(writer);
        is_changed = true;
        writer = last_seen(looks_[i].row);
      }
    }
  }
  for (CountedLook& look : counted_) {
    check_count_seen(txn, look);
  }
  std::set<KeyId> rows;
  for (const auto& [writer, look] : unseen_) {
    rows.insert(looks_[look].row);
  }
  for (const KeyId row : rows) {
    result_.reads.push_back({.reader = txn, .key = row, .writer = last_seen(row)});
  }
}

std::vector<std::size_t> Trial::involved(std::size_t look) const {
  std::vector<std::size_t> all = {look};
  std::set<std::size_t> known = {look};
  std::set<KeyId> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const KeyId row = looks_[all[i]].row;
    if (!rows.insert(row).second) {
      continue;
    }
    const auto writers = state_.writers_so_far(row);
    writes_.note_looked(writers.size());
    for (const TxnId writer : writers) {
      const auto left_out = unseen_.find(writer);
      if (left_out != unseen_.end() && known.insert(left_out->second).second) {
        all.push_back(left_out->second);
      }
    }
  }
  return all;
}

std::vector<TxnId> Trial::fitting(TxnId txn, const Look& look) {
  std::vector<TxnId> all;
  std::ranges::copy_if(state_.writers_so_far(look.row), std::back_inserter(all),
                       [&](TxnId writer) { return fits(txn, look, writer); });
  return all;
}

void Trial::explain_look(TxnId txn, const Look& look, Failure& into) {
  const RowOp& op = writes_.op(txn, look.mop);
  const auto note = [&](TxnId writer) {
    writes_.note_looked(1);
    if (result_.is_too_long) {
      return;
    }
    const std::optional<Parts> parts =
        misfit(op, look.row, look.outcome, left_by(writer, look.row));
    if (!parts) {
      return;
    }
    FormerVersion& version = into.versions.emplace_back(writer);
    if (writer.is_none()) {
      for (const std::uint32_t part : *parts) {
        version.causes.push_back({look.row, part});
      }
      return;
    }
    Explanation why = explanation();
    why.add(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), look.row, *parts);
    result_.is_too_long = result_.is_too_long || why.is_too_long();
    why.move_causes_to(version);
  };
  if (has_first_version(look.row)) {
    note(TxnId::none());
  }
  std::ranges::for_each(state_.writers_so_far(look.row), note);
}

/// Why writers were left out: who saw what such a writer left of one row did not see an older
/// version of the row for which it was left out.
void Trial::add_fractures(const std::vector<std::size_t>& looks, Failure& into) {
  const TxnId initial = rows_.is_closed() ? certain_initial(history_) : TxnId::none();
  std::map<std::size_t, std::size_t> places;
  std::vector<std::vector<TxnId>> fit;
  for (const std::size_t look : looks) {
    places.emplace(look, places.size());
    fit.push_back(fitting(into.txn, looks_[look]));
  }
  for (std::size_t newer = 0; newer < looks.size(); ++newer) {
    for (const TxnId writer : fit[newer]) {
      const auto left_out = unseen_.find(writer);
      if (left_out == unseen_.end() || left_out->second == looks[newer]) {
        continue;
      }
      const std::size_t place = places.at(left_out->second);
      const Look& look = looks_[left_out->second];
      Explanation why = explanation();
      why.add_own_write(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), look.row);
      if (why.is_too_long()) {
        result_.is_too_long = true;
        return;
      }
      FormerVersion written;
      why.move_causes_to(written);
      const auto note = [&](TxnId older) {
        writes_.note_looked(1);
        into.fractures.push_back({.look = place,
                                  .older = older == initial ? TxnId::none() : older,
                                  .newer_look = newer,
                                  .newer = writer,
                                  .decisions = written.decisions});
      };
      const auto end =
          std::ranges::lower_bound(fit[place], state_.committed_at(writer), {},
                                   [&](TxnId older) { return state_.committed_at(older); });
      std::for_each(fit[place].begin(), end, note);
      if (has_first_version(look.row) && fits(into.txn, look, TxnId::none())) {
        note(TxnId::none());
      }
    }
  }
}

void Trial::fail_state(TxnId txn, std::size_t look) {
  Failure failure = {.kind = Failure::Kind::kState, .txn = txn, .mop = looks_[look].mop};
  const std::vector<std::size_t> looks = involved(look);
  for (const std::size_t one : looks) {
    const Look& of = looks_[one];
    failure.mop = std::max(failure.mop, of.mop);
    explain_look(txn, of,
                 failure.looks.emplace_back(Failure{.kind = Failure::Kind::kVersions,
                                                    .txn = txn,
                                                    .mop = of.mop,
                                                    .row = of.row,
                                                    .as = of.outcome.as}));
  }
  if (result_.is_too_long) {
    return;
  }
  add_fractures(looks, failure);
  if (result_.is_too_long) {
    return;
  }
  // What later operations of the transaction fail at may be a consequence.
  const auto at = std::find_if(result_.failures.begin() + failures_before_, result_.failures.end(),
                               [&](const Failure& other) { return other.mop >= failure.mop; });
  result_.failures.insert(at, std::move(failure));
}

/// The miscount of a state becomes choices of how the operation found rows.
void Trial::check_count_seen(TxnId txn, CountedLook& look) {
  const RowOp& op = writes_.op(txn, look.mop);
  const std::vector<FoundKind> kinds = kinds_found(rows_, op);
  std::swap(own_, look.own);
  find(op);
  if (unseen_.empty() && fits_now(op)) {
    return std::swap(own_, look.own);
  }
  std::vector<Chances> rows;
  writes_.note_looked(history_.key_count() * (kinds.size() + 1));
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    if (!may_ever_be(row)) {
      continue;
    }
    const RowState state = own_.contains(row) ? view(row) : state_seen(row);
    Chances& one = rows.emplace_back(Chances{.row = row});
    one.may_be_missed = !state_.matches(op, row, state);
    for (const FoundKind& kind : kinds) {
      one.may_be.push_back(!misfit(op, row, kind.outcome, state));
    }
  }
  if (std::optional<Miscount> count = miscount(kinds, rows)) {
    fail_count(txn, look.mop, op, kinds, *std::move(count));
  }
  std::swap(own_, look.own);
}

}  // namespace elapid::argue
