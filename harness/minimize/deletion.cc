#include "harness/minimize/deletion.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/minimize/call_deletion.h"

namespace elapid {

namespace {

/// The initial values of registers, if the draft has them: one value, or the writes of a recorded
/// transaction.
class InitialValues {
 public:
  explicit InitialValues(const Draft& draft) : initial_(draft.info.initial) {
    for (const auto& txn : draft.txns) {
      if (txn->origin == draft.info.initial_txn) {
        for (const DraftMop& mop : txn->mops) {
          written_.emplace(mop.key, mop.value);
        }
      }
    }
  }

  [[nodiscard]] std::optional<ValueId> of(KeyId key) const {
    const auto written = written_.find(key);
    if (written != written_.end()) {
      return written->second;
    }
    return initial_.is_none() ? std::nullopt : std::optional(initial_);
  }

 private:
  ValueId initial_;
  std::unordered_map<KeyId, ValueId> written_;
};

/// Counts the deleted and the remaining writes of a version. Reads of a version without writes are
/// removed.
struct LostWrites {
  std::uint32_t deleted = 0;
  std::uint32_t left = 0;
};

template <class CountLost>
class Forgetting {
 public:
  Forgetting(Draft& draft, CountLost lost, Orphans orphans)
      : draft_(draft), initial_(draft), lost_(lost), orphans_(orphans) {}

  void run() {
    for (std::size_t t = 0; t < draft_.txns.size(); ++t) {
      const DraftTxn& txn = *draft_.txns[t];
      const bool is_touched =
          touches(txn.mops) || (txn.invoked.has_value() && touches(*txn.invoked));
      // It may show that the register held something else than what it expected.
      const bool is_failed_cas =
          txn.status == TxnStatus::kAborted && draft_.info.workload == Workload::kCasRegister;
      if (is_touched && !is_failed_cas) {
        DraftTxn& changed = draft_.edit(t);
        forget(changed.mops);
        if (changed.invoked) {
          forget(*changed.invoked);
        }
      }
    }
  }

 private:
  [[nodiscard]] bool is_gone(KeyId key, ValueId value) const {
    const LostWrites lost = lost_(key, value);
    return lost.deleted > 0 && lost.left == 0;
  }

  [[nodiscard]] bool is_orphan(const DraftMop& mop) const {
    if (mop.kind != OpKind::kRead) {
      return false;
    }
    return orphans_ == Orphans::kDropUncertain ? lost_(mop.key, mop.value).deleted > 0
                                               : is_gone(mop.key, mop.value);
  }

  [[nodiscard]] bool touches(const std::vector<DraftMop>& mops) const {
    return std::ranges::any_of(mops, [this](const DraftMop& mop) {
      return is_orphan(mop) || std::ranges::any_of(mop.elements, [&](ValueId element) {
               return is_gone(mop.key, element);
             });
    });
  }

  void forget(std::vector<DraftMop>& mops) const {
    for (DraftMop& mop : mops) {
      std::erase_if(mop.elements, [&](ValueId element) { return is_gone(mop.key, element); });
      if (const auto initial = initial_.of(mop.key);
          orphans_ == Orphans::kReadInitial && initial && is_orphan(mop)) {
        mop.value = *initial;
      }
    }
    std::erase_if(mops, [this](const DraftMop& mop) { return is_orphan(mop); });
  }

  Draft& draft_;
  InitialValues initial_;
  CountLost lost_;
  Orphans orphans_;
};

template <class CountLost>
void forget(Draft& draft, CountLost lost, Orphans orphans) {
  Forgetting<CountLost>(draft, lost, orphans).run();
}

/// Removes reads of deleted writes. A value that no transaction writes any more can still be read
/// if it is the initial value.
void forget_deleted(Draft& draft, const WrittenVersions& before, Orphans orphans, ValueId initial) {
  if (orphans == Orphans::kKeepReads || is_counter(draft.info)) {
    return;
  }
  if (draft.info.rows) {
    return forget_deleted_rows(draft, before.rows(), orphans);
  }
  const WrittenVersions kept(draft);
  forget(
      draft,
      [&](KeyId key, ValueId value) {
        const std::uint32_t left = kept.count(key, value);
        const std::uint32_t deleted = before.count(key, value) - left;
        return value == initial ? LostWrites() : LostWrites{.deleted = deleted, .left = left};
      },
      orphans);
}

/// The value that the transaction wrote to each key, if it did nothing else.
std::optional<ValueId> only_value(const DraftTxn& txn) {
  const bool is_one = !txn.mops.empty() && std::ranges::all_of(txn.mops, [&](const DraftMop& mop) {
    return mop.kind == OpKind::kWrite && mop.value == txn.mops.front().value;
  });
  return is_one ? std::optional(txn.mops.front().value) : std::nullopt;
}

/// Deletes a recorded initial transaction. Its value becomes the initial value.
void take_for_initial(const DraftTxn& txn, Draft& rest) {
  rest.info.initial_txn = TxnId::none();
  rest.info.initial = only_value(txn).value_or(ValueId::nil());
}

/// Whether the invocation has the completed operation at the same place.
bool is_paired(const DraftTxn& txn, std::size_t mop) {
  return txn.invoked && txn.invoked->size() == txn.mops.size() &&
         (*txn.invoked)[mop].key == txn.mops[mop].key;
}

template <class Item>
std::vector<Item> some_of(const std::vector<Item>& items, std::size_t begin, std::size_t end) {
  const auto first = items.begin();
  return {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)};
}

void erase_mop(DraftTxn& txn, std::size_t mop) {
  const auto at = static_cast<std::ptrdiff_t>(mop);
  if (is_paired(txn, mop)) {
    txn.invoked->erase(txn.invoked->begin() + at);
  }
  txn.mops.erase(txn.mops.begin() + at);
}

}  // namespace

WrittenVersions::WrittenVersions(const Draft& draft) : rows_(draft) {
  const auto add = [this](const std::vector<DraftMop>& mops) {
    for (const DraftMop& mop : mops) {
      if (mop.is_write()) {
        ++counts_[packed(mop.key, mop.value)];
      }
    }
  };
  for (const auto& txn : draft.txns) {
    add(txn->mops);
    if (txn->invoked) {
      add(*txn->invoked);
    }
  }
}

WrittenVersions::WrittenVersions(const History& history) : rows_(history) {
  const auto add = [this](std::span<const Op> ops) {
    for (const Op op : ops) {
      if (op.is_write()) {
        ++counts_[packed(op.key(), op.value())];
      }
    }
  };
  counts_.reserve(history.op_count());
  add(history.all_ops());
  for (std::uint32_t txn = 0; txn < history.txn_count(); ++txn) {
    if (const auto invoked = history.differing_invocation({txn})) {
      add(*invoked);
    }
  }
}

Draft excerpt(const History& history, const WrittenVersions& written, std::span<const TxnId> txns,
              Orphans orphans) {
  Draft draft = draft_of(history, txns);
  const TxnId initial = history.info().initial_txn;
  std::optional<ValueId> initial_value;
  if (!initial.is_none() && !std::ranges::binary_search(txns, initial)) {
    const Draft alone = draft_of(history, std::span(&initial, 1));
    take_for_initial(*alone.txns.front(), draft);
    initial_value = only_value(*alone.txns.front());
  }
  forget_deleted(draft, written, orphans, initial_value.value_or(ValueId::none()));
  if (is_counter(draft.info)) {
    forget_additions(draft_of(history), draft, orphans == Orphans::kReadInitial);
  }
  return draft;
}

Draft compact(Draft draft) {
  if (draft.info.rows) {
    return draft;
  }
  std::vector<KeyId> renamed(draft.key_names.size(), KeyId::none());
  std::vector<std::string> names;
  const auto rename = [&](std::vector<DraftMop>& mops) {
    for (DraftMop& mop : mops) {
      KeyId& key = renamed[mop.key.index()];
      if (key.is_none()) {
        key = {static_cast<std::uint32_t>(names.size())};
        names.push_back(draft.key_names[mop.key.index()]);
      }
      mop.key = key;
    }
  };
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    DraftTxn& txn = draft.edit(t);
    rename(txn.mops);
    if (txn.invoked) {
      rename(*txn.invoked);
    }
  }
  draft.key_names = std::move(names);
  return draft;
}

Deleter::Deleter(const Draft& draft) : draft_(draft), written_(draft) {
  find_sessions();
  find_keys_and_ops();
  find_unwritten();
  find_attempts();
}

// Numbers are given in the order of appearance, so that names have no effect.

void Deleter::find_sessions() {
  for (const auto& txn : draft_.txns) {
    sessions_.add(txn->session);
  }
}

void Deleter::find_keys_and_ops() {
  for (std::uint32_t t = 0; t < draft_.txns.size(); ++t) {
    for (std::uint32_t m = 0; m < draft_.txns[t]->mops.size(); ++m) {
      ops_.push_back({t, m});
      if (!draft_.info.rows) {
        keys_.add(draft_.txns[t]->mops[m].key.value);
      }
    }
  }
  rows_ = rows_of(draft_);
  columns_ = idle_columns_of(draft_);
}

void Deleter::find_unwritten() {
  for (const auto& txn : draft_.txns) {
    for (const DraftMop& mop : txn->mops) {
      for (const ValueId element : mop.elements) {
        if (!written_.has(mop.key, element)) {
          unwritten_.add(packed(mop.key, element));
        }
      }
    }
  }
}

void Deleter::find_attempts() {
  for (std::uint32_t t = 0; t < draft_.txns.size(); ++t) {
    if (draft_.txns[t]->invoked) {
      attempts_.push_back(t);
    }
  }
}

std::size_t Deleter::count(Unit unit) const {
  switch (unit) {
    case Unit::kSession:
      return sessions_.size();
    case Unit::kKey:
      return keys_.size() + rows_.size();  // one of these counts is 0
    case Unit::kTxn:
      return draft_.txns.size();
    case Unit::kOp:
      return ops_.size();
    case Unit::kColumn:
      return columns_.size();
    case Unit::kUnwritten:
      return unwritten_.size();
    case Unit::kAttempt:
      return attempts_.size();
  }
  return 0;
}

template <class IsDeleted>
Draft Deleter::without_txns(IsDeleted is_deleted) const {
  Draft rest = draft_;
  rest.txns.clear();
  for (std::size_t t = 0; t < draft_.txns.size(); ++t) {
    const auto& txn = draft_.txns[t];
    if (!is_deleted(t, *txn)) {
      rest.txns.push_back(txn);
    } else if (txn->origin == draft_.info.initial_txn) {
      take_for_initial(*txn, rest);
    }
  }
  return rest;
}

template <class IsDeleted>
Draft Deleter::without_mops(IsDeleted is_deleted) const {
  Draft rest = draft_;
  for (std::size_t t = 0; t < rest.txns.size(); ++t) {
    const DraftTxn& txn = *rest.txns[t];
    const bool is_touched = std::ranges::any_of(txn.mops, is_deleted) ||
                            (txn.invoked && std::ranges::any_of(*txn.invoked, is_deleted));
    if (is_touched) {
      DraftTxn& changed = rest.edit(t);
      std::erase_if(changed.mops, is_deleted);
      if (changed.invoked) {
        std::erase_if(*changed.invoked, is_deleted);
      }
    }
  }
  return rest;
}

/// A single operation is deleted whole, since a part of it has no meaning.
Draft Deleter::without_keys(std::size_t begin, std::size_t end) const {
  if (draft_.info.rows) {
    return without_rows(draft_, some_of(rows_, begin, end));
  }
  const auto is_deleted = [&](const DraftMop& mop) {
    return keys_.is_among(mop.key.value, begin, end);
  };
  const bool has_calls = draft_.info.workload && !draft_.info.workload->has_transactions();
  return has_calls ? without_txns([&](std::size_t, const DraftTxn& txn) {
    return std::ranges::any_of(txn.mops, is_deleted);
  })
                   : without_mops(is_deleted);
}

Draft Deleter::without_ops(std::size_t begin, std::size_t end) const {
  Draft rest = draft_;
  for (std::size_t last = end; last > begin;) {
    const std::uint32_t txn = ops_[last - 1].txn;
    DraftTxn& changed = rest.edit(txn);
    for (; last > begin && ops_[last - 1].txn == txn; --last) {
      erase_mop(changed, ops_[last - 1].mop);
    }
  }
  return rest;
}

Draft Deleter::without_elements(std::size_t begin, std::size_t end) const {
  Draft rest = draft_;
  const auto deleted = [&](KeyId key, ValueId value) {
    return LostWrites{.deleted = unwritten_.is_among(packed(key, value), begin, end) ? 1U : 0U};
  };
  forget(rest, deleted, Orphans::kReadInitial);
  return rest;
}

Draft Deleter::without_attempts(std::size_t begin, std::size_t end) const {
  Draft rest = draft_;
  for (std::size_t a = begin; a < end; ++a) {
    rest.edit(attempts_[a]).invoked.reset();
  }
  return rest;
}

Draft Deleter::without(Unit unit, std::size_t begin, std::size_t end, Orphans orphans) const {
  const auto shrunken = [&] {
    switch (unit) {
      case Unit::kSession:
        return without_txns([&](std::size_t, const DraftTxn& txn) {
          return sessions_.is_among(txn.session, begin, end);
        });
      case Unit::kKey:
        return without_keys(begin, end);
      case Unit::kTxn:
        return without_txns([&](std::size_t t, const DraftTxn&) { return t >= begin && t < end; });
      case Unit::kOp:
        return without_ops(begin, end);
      case Unit::kColumn:
        return without_columns(draft_, some_of(columns_, begin, end));
      case Unit::kUnwritten:
        return without_elements(begin, end);
      case Unit::kAttempt:
        return without_attempts(begin, end);
    }
    return draft_;
  };
  Draft rest = shrunken();
  forget_orphans(rest, orphans);
  return rest;
}

void Deleter::forget_orphans(Draft& rest, Orphans orphans) const {
  forget_deleted(rest, written_, orphans, rest.info.initial);
  if (is_counter(rest.info)) {
    forget_additions(draft_, rest, orphans == Orphans::kReadInitial);
  }
}

Draft Deleter::only(const std::vector<bool>& txns, Orphans orphans) const {
  Draft rest = without_txns([&](std::size_t t, const DraftTxn&) { return !txns[t]; });
  forget_orphans(rest, orphans);
  return rest;
}

}  // namespace elapid
