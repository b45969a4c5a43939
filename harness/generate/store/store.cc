#include "harness/generate/store/store.h"

#include <algorithm>
#include <numeric>

namespace elapid {

Store::Store(const StoreKind& kind, const StoreOptions& options, std::uint64_t seed)
    : kind_(kind), options_(options), random_(seed), replicas_(options.replicas) {}

StoredKey& Store::key_of(std::uint32_t slot, std::int64_t key) {
  while (keys_.size() <= slot) {
    keys_.emplace_back();
  }
  StoredKey& stored = keys_[slot];
  if (stored.key() != key) {
    stored.become(key);
  }
  return stored;
}

void Store::set_initial(const RequestStep& write) {
  key_of(write.slot, write.key).write(0, write.value);
}

std::optional<std::size_t> Store::draw_level() {
  return kind_.mixes.empty() ? std::nullopt : std::optional(random_.below(kind_.mixes.size()));
}

void Store::begin(StoreTxn& txn, StoreSession& session, bool only_reads, std::int64_t now,
                  const StoreKind* kind) {
  txn.is_open = true;
  txn.only_reads = only_reads;
  txn.kind = kind == nullptr ? &kind_ : kind;
  txn.session = &session;
  txn.failovers = failovers_;
  txn.led_here = {.base = oldest()};
  txn.reads.clear();
  txn.writes.clear();
  txn.rows.clear();
  txn.waits_for.reset();
  txn.timestamps = {now, now};
  open_.push_back(&txn);
  choose_view(txn);
}

StepAnswer Store::read(StoreTxn& txn, const RequestStep& step, Seen& seen,
                       std::vector<std::int64_t>& elements) {
  if (txn.failovers != failovers_) {
    abort(txn);
    return StepAnswer::kLost;
  }
  const StoredKey& key = key_of(step.slot, step.key);
  if (txn.kind->view == View::kDirty) {
    return read_dirty(txn, key, step, seen, elements);
  }
  const StoredVersion* version = visible(txn, key);
  note_read(txn, step, version == nullptr ? 0 : version->commit);
  seen = version == nullptr ? Seen() : version->value;
  if (step.kind == OpKind::kReadList && version != nullptr) {
    elements.insert(elements.end(), key.elements().begin(),
                    key.elements().begin() + version->value);
  }
  for (const StoreTxn::Write& own : txn.writes) {
    if (own.slot == step.slot) {
      seen = own.value;
      if (own.is_append) {
        elements.push_back(own.value);
      }
    }
  }
  return StepAnswer::kDone;
}

/// Reads the committed state and the uncommitted writes of the lock's holder.
StepAnswer Store::read_dirty(StoreTxn& txn, const StoredKey& key, const RequestStep& step,
                             Seen& seen, std::vector<std::int64_t>& elements) {
  const StoredVersion* version = key.find([](CommitId) { return true; });
  seen = version == nullptr ? Seen() : version->value;
  if (step.kind == OpKind::kReadList) {
    elements.insert(elements.end(), key.elements().begin(), key.elements().end());
  }
  const StoreTxn* writer = key.locked_by == nullptr ? &txn : key.locked_by;
  for (const StoreTxn::Write& write : writer->writes) {
    if (write.slot == step.slot) {
      seen = write.value;
      if (write.is_append) {
        elements.push_back(write.value);
      }
    }
  }
  return StepAnswer::kDone;
}

void Store::note_read(StoreTxn& txn, const RequestStep& step, CommitId commit) {
  if (txn.kind->conflicts == Conflicts::kStaleReads ? !txn.only_reads
                                                    : txn.kind->view == View::kEachReadAtomic) {
    txn.reads.push_back({step.slot, commit});
  }
  if (txn.kind->view == View::kCausal && commit > txn.led_here.base) {
    txn.led_here.bits |= commit_of(commit).needs.bits_from(txn.led_here.base);
  }
}

StepAnswer Store::write(StoreTxn& txn, const RequestStep& step) {
  if (txn.failovers != failovers_) {
    abort(txn);
    return StepAnswer::kLost;
  }
  StoredKey& key = key_of(step.slot, step.key);
  if (txn.kind->conflicts == Conflicts::kWaitForWriters) {
    if (key.locked_by != nullptr && key.locked_by != &txn) {
      if (would_wait_for_itself(txn, step.slot)) {
        abort(txn);
        return StepAnswer::kConflict;
      }
      txn.waits_for = step.slot;
      return StepAnswer::kWait;
    }
    txn.waits_for.reset();
    key.locked_by = &txn;
  }
  txn.writes.push_back({step.slot, step.key, step.value, step.kind == OpKind::kAppend});
  return StepAnswer::kDone;
}

StepAnswer Store::work_on_rows(StoreTxn& txn, const PlainRowOp& op,
                               std::vector<std::int64_t>& found) {
  const bool has_moment = kind_.view == View::kEachRead;
  const CommitId moment = has_moment ? past() : 0;
  const auto sees = [&](CommitId commit) {
    return has_moment ? commit <= moment : txn.view.has(commit);
  };
  if (!txn.rows.carry_out(table_, op, sees, found)) {
    abort(txn);
    return StepAnswer::kConflict;
  }
  return StepAnswer::kDone;
}

bool Store::would_wait_for_itself(const StoreTxn& txn, std::uint32_t slot) const {
  const StoreTxn* holder = keys_[slot].locked_by;
  while (holder != nullptr && holder != &txn && holder->waits_for) {
    holder = keys_[*holder->waits_for].locked_by;
  }
  return holder == &txn;
}

StepAnswer Store::commit(StoreTxn& txn, std::int64_t now) {
  if (txn.failovers != failovers_) {
    abort(txn);
    return StepAnswer::kLost;
  }
  if (!may_commit(txn) || !may_commit_rows(txn)) {
    abort(txn);
    return StepAnswer::kConflict;
  }
  if (txn.writes.empty() && txn.rows.changes().empty()) {
    txn.timestamps.commit = txn.timestamps.start;
    txn.session->position = std::max(txn.session->position, txn.view.base);
    txn.session->seen.move_to(txn.led_here.base);
    txn.session->seen.bits |= txn.led_here.bits_from(txn.session->seen.base);
  } else {
    install(txn, now);
  }
  txn.session->time = txn.timestamps.commit;
  end(txn);
  return StepAnswer::kDone;
}

void Store::abort(StoreTxn& txn) {
  end(txn);
}

void Store::end(StoreTxn& txn) {
  if (kind_.conflicts == Conflicts::kWaitForWriters) {
    for (const StoreTxn::Write& write : txn.writes) {
      keys_[write.slot].locked_by = nullptr;
    }
  }
  txn.is_open = false;
  txn.waits_for.reset();
  const auto place = std::find(open_.begin(), open_.end(), &txn);
  *place = open_.back();
  open_.pop_back();
}

bool Store::may_commit(const StoreTxn& txn) const {
  switch (txn.kind->conflicts) {
    case Conflicts::kNone:
    case Conflicts::kWaitForWriters:
      return true;
    case Conflicts::kUnseenWrites:
      return std::ranges::all_of(txn.writes, [&](const StoreTxn::Write& write) {
        const StoredKey& key = keys_[write.slot];
        return txn.view.has(key.last_commit());
      });
    case Conflicts::kStaleReads:
      return txn.writes.empty() || std::ranges::all_of(txn.reads, [&](const StoreTxn::Read& read) {
               return keys_[read.slot].last_commit() == read.commit;
             });
  }
  return true;
}

bool Store::may_commit_rows(const StoreTxn& txn) const {
  const auto sees_all = [](CommitId) { return true; };
  switch (kind_.conflicts) {
    case Conflicts::kNone:
    case Conflicts::kWaitForWriters:
      return txn.rows.fits(table_, sees_all);
    case Conflicts::kUnseenWrites:
      return std::ranges::all_of(txn.rows.changes(), [&](const auto& change) {
        return txn.view.has(table_.last_commit(change.first));
      });
    case Conflicts::kStaleReads:
      return txn.rows.changes().empty() || txn.rows.is_repeatable(table_, sees_all);
  }
  return true;
}

void Store::install(StoreTxn& txn, std::int64_t now) {
  ++now_;
  Commit& commit = commit_of(now_);
  commit.time = now;
  txn.timestamps.commit = now;
  note_needs(txn, commit);
  for (const StoreTxn::Write& write : txn.writes) {
    StoredKey& key = keys_[write.slot];
    write.is_append ? key.append(now_, write.value) : key.write(now_, write.value);
    if (key.is_long()) {
      key.prune(horizon());
    }
    if (kind_.loses_tail) {
      tail_.emplace_back(now_, write.slot);
    }
  }
  for (const auto& [key, change] : txn.rows.changes()) {
    table_.write(key, now_, change.now);
  }
  if (!txn.rows.changes().empty()) {
    table_.prune(horizon());
  }
  while (!tail_.empty() && tail_.front().first <= oldest()) {
    tail_.pop_front();
  }
  txn.session->position = now_;
  catch_up();
  maybe_fail();
}

/// Notes the commits that a reader of this commit must also see. An append is never visible without
/// earlier appends. If a transaction may write only keys whose last version it sees, the same holds
/// for writes.
void Store::note_needs(StoreTxn& txn, Commit& commit) {
  SeenSet& needs = commit.needs;
  needs = {.base = oldest()};
  needs.add(now_);
  const bool is_causal = txn.kind->view == View::kCausal;
  if (is_causal) {
    needs.bits |= txn.led_here.bits_from(needs.base);
  }
  if (is_causal && txn.kind->sessions) {
    txn.session->seen.move_to(needs.base);
    needs.bits |= txn.session->seen.bits;
  }
  for (const StoreTxn::Write& write : txn.writes) {
    const CommitId before = keys_[write.slot].last_commit();
    const bool is_needed = write.is_append || txn.kind->conflicts == Conflicts::kUnseenWrites;
    if (is_needed && before > needs.base) {
      const SeenSet& its_needs = commit_of(before).needs;
      needs.add(before);
      needs.bits |= is_causal ? its_needs.bits_from(needs.base) : 0;
    }
  }
  txn.session->seen = needs;
}

/// A replica applies some of the commits that it lacks.
void Store::catch_up() {
  if (kind_.view != View::kReplica) {
    return;
  }
  for (CommitId& replica : replicas_) {
    replica = std::max(replica, now_ > options_.staleness ? now_ - options_.staleness : 0);
  }
  CommitId& one = replicas_[random_.below(replicas_.size())];
  one += random_.below(now_ - one + 1);
}

/// The leader fails, and the next leader lacks the last commits. All sessions lose their
/// connections, and open transactions end.
void Store::maybe_fail() {
  if (!kind_.loses_tail || is_settled_ || random_.below(options_.failover_every) != 0) {
    return;
  }
  const CommitId lost = std::min<CommitId>(now_, random_.below(options_.lost_tail + 1));
  const CommitId last = now_ - lost;
  while (!tail_.empty() && tail_.back().first > last) {
    keys_[tail_.back().second].cut(last);
    tail_.pop_back();
  }
  ++failovers_;
}

CommitId Store::horizon() const {
  return std::accumulate(
      open_.begin(), open_.end(), oldest(),
      [](CommitId least, const StoreTxn* txn) { return std::min(least, txn->view.base); });
}

std::size_t Store::version_count() const {
  std::size_t count = table_.version_count();
  for (const StoredKey& key : keys_) {
    count += key.version_count();
  }
  return count;
}

}  // namespace elapid
