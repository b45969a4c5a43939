#include "engine/online/online_checker.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/ir/matched_list.h"

namespace elapid {

namespace {

using Kind = OnlineEvent::Kind;

/// Whether a read says what it showed.
bool is_answered(const OnlineOp& op) {
  return (op.kind == OpKind::kRead && !op.value.is_nil()) ||
         (op.kind == OpKind::kReadList && op.list_length > 0);
}

ViolationName name_of_read(Atom key, const ReadName& read) {
  return {.axiom = TimestampAxiom::kExt, .txn = read.reader, .key = key, .mop = read.mop};
}

}  // namespace

bool OnlineChecker::IsDueLater::operator()(const Pending& a, const Pending& b) const {
  if (a.due != b.due) {
    return a.due > b.due;
  }
  const auto rest = [](const Pending& pending) {
    return std::tuple(pending.kind, pending.owner, pending.at, pending.txn, pending.mop);
  };
  return rest(a) > rest(b);
}

OnlineChecker::OnlineChecker(const OnlineOptions& options, PageStore& store)
    : options_(options),
      paging_{store, options.page_entries},
      keys_(make_online_keys(options.workload)) {}

KeyContext OnlineChecker::context() {
  return {.paging = paging_,
          .unplaced = unplaced_,
          .observer = *this,
          .initial = options_.initial,
          .clock_skew = options_.clock_skew,
          .forbids_conflicts = options_.read_point == ReadPoint::kStart};
}

bool OnlineChecker::add(const OnlineTxn& txn) {
  if (!ids_.insert(txn.id)) {
    ++counts_.duplicates;
    return false;
  }
  ++counts_.accepted;
  counts_.committed += txn.status == TxnStatus::kCommitted ? 1 : 0;
  counts_.operations += txn.ops.size();
  const PlacedTxn placed(txn, options_.read_point);
  current_ = txn.id;
  is_late_ = placed.has_place() && is_final(placed.writes.time());
  counts_.late += is_late_ ? 1 : 0;
  note_initial(placed);
  note_unplaced(placed);
  if (txn.status == TxnStatus::kCommitted && txn.start && txn.commit && *txn.start > *txn.commit) {
    ledger_.set(
        {.axiom = TimestampAxiom::kStartFirst, .txn = txn.id},
        {.within_clock_skew = options_.clock_skew.may_have_swapped(*txn.commit, *txn.start)},
        is_late_);
  }
  if (placed.has_place()) {
    greatest_ = std::max(greatest_.value_or(Timestamp::first()), placed.writes.time());
    keys_->carry_out(placed, context());
    if (options_.sessions) {
      add_to_session(placed);
    }
  }
  settle_changes();
  if (options_.is_sorted) {
    withdraw_explained(placed);
  } else {
    look_at_origins(placed);
    look_at_skews(placed);
  }
  return true;
}

void OnlineChecker::note_initial(const PlacedTxn& placed) {
  if (placed.txn.status == TxnStatus::kCommitted) {
    for (const OnlineOp& op : placed.txn.ops) {
      const bool is_initial = op.kind == OpKind::kRead && context().is_initial(op.value);
      counts_.initial += is_initial ? 1U : 0U;
    }
  }
}

std::optional<Atom> OnlineChecker::likely_initial() const {
  std::optional<Atom> shown;
  std::size_t count = 0;
  for (const auto& [name, facts] : ledger_.all()) {
    if (name.axiom != TimestampAxiom::kExt || facts.origin != ReadOrigin::kNowhere) {
      continue;
    }
    if (facts.is_list || (shown && *shown != facts.read)) {
      return std::nullopt;
    }
    shown = facts.read;
    ++count;
  }
  const bool is_told = count > 1 || (count == 1 && *shown == Atom::zero());
  return is_told && counts_.initial == 0 ? shown : std::nullopt;
}

/// Keeps values that have no place in time, and judges reads again that show them.
void OnlineChecker::note_unplaced(const PlacedTxn& placed) {
  const OnlineTxn& txn = placed.txn;
  if (txn.status == TxnStatus::kCommitted && placed.placement != Placement::kPlaced) {
    ++counts_.unplaced;
  }
  if (txn.status == TxnStatus::kIndeterminate && txn.commit &&
      std::ranges::any_of(txn.ops, is_answered)) {
    ++counts_.claimed;
  }
  if (placed.has_place()) {
    return;
  }
  for (const OnlineOp& op : txn.ops) {
    if (!is_write(op)) {
      continue;
    }
    if (txn.status == TxnStatus::kAborted) {
      unplaced_.add_aborted(op.key, op.value, txn.id);
    } else {
      unplaced_.add_maybe(op.key, op.value);
      keys_->rejudge(op.key, op.value, context());
    }
  }
}

/// Withdraws wrong reads that a write without a place in time may explain, and that are forgotten,
/// so that no key judges them again.
void OnlineChecker::withdraw_explained(const PlacedTxn& placed) {
  if (placed.has_place() || placed.txn.status == TxnStatus::kAborted) {
    return;
  }
  for (const OnlineOp& op : placed.txn.ops) {
    if (!is_write(op)) {
      continue;
    }
    const Atom value = options_.workload == Workload::kListAppend ? Atom::none() : op.value;
    for (const ViolationName& name : ledger_.showing(op.key, value)) {
      if (may_be_explained(ledger_.all().at(name), op.key, op.value)) {
        ledger_.remove(name);
        ++counts_.maybe;
      }
    }
  }
}

/// Whether a wrong read may show a value without a place in time. Where clocks err, a list that
/// shows it may be explained by both together.
bool OnlineChecker::may_be_explained(const ViolationFacts& facts, Atom key, Atom value) {
  if (!facts.is_list) {
    return true;
  }
  if (options_.clock_skew.bound > 0) {
    return std::ranges::find(facts.list_read, value) != facts.list_read.end();
  }
  return is_explained(facts.list_read, facts.list_expected,
                      [&](Atom element) { return unplaced_.is_maybe(key, element); });
}

OnlineSession& OnlineChecker::session(Atom name) {
  const auto found = sessions_.find(name);
  return found != sessions_.end()
             ? found->second
             : sessions_.emplace(name, OnlineSession(name, is_restored_, paging_)).first->second;
}

void OnlineChecker::add_to_session(const PlacedTxn& placed) {
  const OnlineTxn& txn = placed.txn;
  const bool is_certain = txn.status == TxnStatus::kCommitted;
  sessions_grow_at_end_ = sessions_grow_at_end_ && !txn.sequence && is_certain;
  const bool has_place =
      session(txn.session).add(placed, counts_.accepted, options_.read_point, paging_, *this);
  counts_.disordered += has_place ? 0U : 1U;
}

void OnlineChecker::count(ReadState state, bool is_more) {
  const auto add = [is_more](std::uint64_t& to) { is_more ? ++to : --to; };
  if (state == ReadState::kTied) {
    add(counts_.tied);
  } else if (state == ReadState::kMaybe) {
    add(counts_.maybe);
  }
}

void OnlineChecker::on_read(Atom key, const ReadName& read, ReadState before, ReadState now,
                            const Comparison& comparison) {
  count(before, false);
  count(now, true);
  changes_.push_back({key, read, before, now, comparison});
}

void OnlineChecker::on_internal(Atom key, std::uint32_t mop, ViolationFacts facts) {
  ledger_.set({.axiom = TimestampAxiom::kInt, .txn = current_, .key = key, .mop = mop},
              std::move(facts), is_late_);
}

void OnlineChecker::on_conflict(Atom key, const OnlineVersion& earlier,
                                const OnlineVersion& later) {
  ledger_.set(
      {.axiom = TimestampAxiom::kNoConflict,
       .txn = later.writer,
       .key = key,
       .earlier = earlier.writer},
      {.other = earlier.writer,
       .depends = keys_->replaced_one_version(key, earlier, later, context()),
       .within_clock_skew = options_.clock_skew.may_have_swapped(later.start, earlier.at.time()) ||
                            options_.clock_skew.may_have_swapped(earlier.start, later.at.time())},
      is_late_);
}

ViolationFacts OnlineChecker::facts(Atom session, const SessionEntry& entry) const {
  const Timestamp reads =
      options_.read_point == ReadPoint::kStart ? entry.starts : entry.ends.time();
  return {.session = session,
          .other = entry.missed,
          .within_clock_skew = options_.clock_skew.may_have_swapped(reads, entry.missed_end)};
}

void OnlineChecker::on_session(Atom session, const SessionEntry& entry, Atom before) {
  const ViolationName name = {.axiom = TimestampAxiom::kSession, .txn = entry.txn};
  if (is_final(entry.ends.time())) {
    entry.missed.is_none() ? ledger_.remove(name)
                           : ledger_.set(name, facts(session, entry), is_late_);
    return;
  }
  const bool was_wrong = !before.is_none();
  const bool is_wrong = !entry.missed.is_none();
  if (was_wrong == is_wrong) {
    return;
  }
  counts_.provisional += is_wrong ? 1 : std::uint64_t(-1);
  if (is_wrong) {
    pending_.push({.due = entry.ends,
                   .at = entry.at(),
                   .owner = session,
                   .txn = entry.txn,
                   .kind = PageOwner::Kind::kSession});
  } else {
    ++counts_.flips;
  }
  if (options_.wants_provisional) {
    ledger_.announce(OnlineEvent{
        .kind = is_wrong ? Kind::kProvisional : Kind::kRetracted,
        .name = name,
        .facts = is_wrong ? facts(session, entry) : ViolationFacts{.session = session}});
  }
}

/// Settles what the transaction at hand changed, now that all of it is in its place.
void OnlineChecker::settle_changes() {
  for (const Change& change : changes_) {
    settle(change);
  }
  changes_.clear();
}

void OnlineChecker::settle(const Change& change) {
  if (is_final(change.read)) {
    settle_read(change.key, change.read);
    return;
  }
  const bool was_wrong = change.before == ReadState::kWrong;
  const bool is_wrong = change.now == ReadState::kWrong;
  if (was_wrong == is_wrong) {
    return;
  }
  if (is_wrong) {
    ++counts_.provisional;
    const Timestamp due = options_.clock_skew.after(change.read.at.time());
    provisional_reads_.add({.due = Moment::of(due, change.read.at.kind),
                            .at = change.read.at,
                            .owner = change.key,
                            .txn = change.read.reader,
                            .mop = change.read.mop});
  } else {
    --counts_.provisional;
    provisional_reads_.remove(change.key, change.read.reader, change.read.mop);
    ++counts_.flips;
  }
  if (options_.wants_provisional) {
    announce(change, is_wrong);
  }
}

/// For a register without a call of keys_, which would search for the read again.
void OnlineChecker::announce(const Change& change, bool is_wrong) {
  if (options_.workload == Workload::kListAppend) {
    ledger_.announce(OnlineEvent{.kind = is_wrong ? Kind::kProvisional : Kind::kRetracted,
                                 .name = name_of_read(change.key, change.read),
                                 .facts = keys_->facts(change.key, change.read, false, context())});
    return;
  }
  ledger_.announce(PassingRead{.reader = change.read.reader,
                               .key = change.key,
                               .shown = change.comparison.shown,
                               .expected = change.comparison.expected,
                               .expected_writer = change.comparison.writer,
                               .mop = change.read.mop,
                               .is_right = !is_wrong});
}

/// Writes the state of a read into the ledger once its time is final.
void OnlineChecker::settle_read(Atom key, const ReadName& read) {
  const ViolationName name = name_of_read(key, read);
  if (keys_->state(key, read, context()) == ReadState::kWrong) {
    ViolationFacts facts = keys_->facts(key, read, true, context());
    if (options_.is_sorted && facts.origin > ReadOrigin::kAfter) {
      // A later transaction of the stream may be the writer.
      facts.origin = ReadOrigin::kNowhere;
      facts.other = Atom::none();
    }
    ledger_.set(name, std::move(facts), is_late_);
  } else if (ledger_.contains(name)) {
    ledger_.remove(name);
  }
}

/// Reads that were wrong may show values of this transaction.
void OnlineChecker::look_at_origins(const PlacedTxn& placed) {
  if (ledger_.all().empty()) {
    return;
  }
  for (const OnlineOp& op : placed.txn.ops) {
    if (!is_write(op)) {
      continue;
    }
    const Atom value = options_.workload == Workload::kListAppend ? Atom::none() : op.value;
    for (const ViolationName& name : ledger_.showing(op.key, value)) {
      settle_read(op.key, {ledger_.read_at(name), name.txn, name.mop});
    }
  }
}

/// A late transaction may have replaced a value that clock skew explained.
void OnlineChecker::look_at_skews(const PlacedTxn& placed) {
  if (options_.clock_skew.bound == 0 || !is_late_) {
    return;
  }
  for (const OnlineOp& op : placed.txn.ops) {
    if (is_write(op)) {
      for (const ViolationName& name : ledger_.reads_of(op.key)) {
        settle_read(op.key, {ledger_.read_at(name), name.txn, name.mop});
      }
    }
  }
}

void OnlineChecker::advance(Timestamp watermark) {
  if (is_final(watermark)) {
    return;
  }
  watermark_ = watermark;
  is_late_ = false;
  provisional_reads_.take_due(watermark, [this](const Pending& read) { pending_.push(read); });
  while (!pending_.empty() && pending_.top().due.time() <= watermark) {
    const Pending due = pending_.top();
    // An entry that was wrong several times is there several times.
    while (!pending_.empty() && !IsDueLater()(pending_.top(), due)) {
      pending_.pop();
    }
    finalize(due);
  }
}

void OnlineChecker::finalize(const Pending& pending) {
  if (pending.kind == PageOwner::Kind::kKey) {
    const ReadName read = {pending.at, pending.txn, pending.mop};
    if (keys_->state(pending.owner, read, context()) == ReadState::kWrong) {
      --counts_.provisional;
      provisional_reads_.remove(pending.owner, pending.txn, pending.mop);
      settle_read(pending.owner, read);
    }
    return;
  }
  const SessionEntry entry = session(pending.owner).entry(pending.at, pending.txn, paging_);
  if (!entry.missed.is_none()) {
    --counts_.provisional;
    ledger_.set({.axiom = TimestampAxiom::kSession, .txn = pending.txn},
                facts(pending.owner, entry), false);
  }
}

std::size_t OnlineChecker::memory() const {
  return paging_.memory + keys_->memory() + ids_.memory() + unplaced_.memory() + ledger_.memory() +
         pending_.size() * sizeof(Pending) + provisional_reads_.memory() +
         sessions_.size() * sizeof(std::pair<Atom, OnlineSession>);
}

void OnlineChecker::evict_sessions(Timestamp time) {
  for (auto& [name, session] : sessions_) {
    session.pages().evict_before(time, paging_);
  }
}

void OnlineChecker::shrink(std::size_t most) {
  const auto evict = [&](Timestamp time, bool cuts) {
    if (memory() > most) {
      keys_->evict_before(time, cuts, paging_);
      evict_sessions(time);
    }
  };
  if (watermark_) {
    evict(*watermark_, false);
    evict(*watermark_, true);
  }
  evict(Timestamp::last(), false);
  if (memory() > most) {
    keys_->drop(paging_);
  }
}

void OnlineChecker::forget() {
  if (!watermark_) {
    return;
  }
  keys_->evict_before(*watermark_, true, paging_);
  keys_->forget_reads(*watermark_);
  if (sessions_grow_at_end_) {
    // With reads at the commit, sessions grow at their end whatever the times are.
    Timestamp until = options_.read_point == ReadPoint::kStart ? *watermark_ : Timestamp::last();
    for (const Pending& pending : pending_.all()) {
      if (pending.kind == PageOwner::Kind::kSession) {
        until = std::min(until, pending.at.time());
      }
    }
    evict_sessions(until);
  }
}

}  // namespace elapid
