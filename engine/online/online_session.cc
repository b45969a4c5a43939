#include "engine/online/online_session.h"

#include <algorithm>

#include "engine/online/byte_codec.h"

namespace elapid {

std::size_t SessionPage::memory() const {
  return sizeof(SessionPage) + entries.capacity() * sizeof(SessionEntry);
}

bool SessionPage::has_entries_before(Moment moment) const {
  return !entries.empty() && entries.front().at() < moment;
}

std::optional<Moment> SessionPage::cut(bool is_last) const {
  if (entries.empty() || entries.front().at() == entries.back().at()) {
    return std::nullopt;
  }
  const Moment middle = entries[entries.size() / 2].at();
  return is_last || middle == entries.front().at() ? entries.back().at() : middle;
}

SessionPage SessionPage::split(Moment from) {
  SessionPage rest;
  rest.begin = from;
  const auto first = std::ranges::lower_bound(entries, from, {}, &SessionEntry::at);
  rest.entries.assign(first, entries.end());
  entries.erase(first, entries.end());
  return rest;
}

std::string SessionPage::encode() const {
  ByteWriter out;
  for (const SessionEntry& entry : entries) {
    out.add(entry.place.at);
    out.add_value(Atom::from_bits(static_cast<std::uint64_t>(entry.place.completed)));
    out.add(Moment::of(entry.place.committed, Moment::kCommit));
    out.add(entry.place.arrival);
    out.add(Moment::of(entry.starts, Moment::kCommit));
    out.add(entry.ends);
    out.add_name(entry.txn);
    out.add_value(entry.missed);
    out.add(Moment::of(entry.missed_end, Moment::kCommit));
    out.add((entry.is_certain ? 1U : 0U) | (entry.is_numbered ? 2U : 0U));
  }
  return std::move(out).take();
}

SessionPage SessionPage::decode(Moment begin, std::string_view bytes) {
  SessionPage page;
  page.begin = begin;
  page.is_dirty = false;
  ByteReader in(bytes);
  while (!in.is_at_end()) {
    SessionEntry entry;
    entry.place.at = in.moment();
    entry.place.completed = static_cast<std::int64_t>(in.value().bits());
    entry.place.committed = in.moment().time();
    entry.place.arrival = in.number();
    entry.starts = in.moment().time();
    entry.ends = in.moment();
    entry.txn = in.name();
    entry.missed = in.value();
    entry.missed_end = in.moment().time();
    const std::uint64_t flags = in.number();
    entry.is_certain = (flags & 1) != 0;
    entry.is_numbered = (flags & 2) != 0;
    page.entries.push_back(entry);
  }
  return page;
}

namespace {

SessionEntry new_entry(const PlacedTxn& placed, std::uint64_t arrival, ReadPoint read_point) {
  const OnlineTxn& txn = placed.txn;
  SessionEntry entry = {.starts = placed.starts,
                        .ends = placed.writes,
                        .txn = txn.id,
                        .is_numbered = txn.sequence.has_value(),
                        .is_certain = txn.status == TxnStatus::kCommitted};
  Timestamp at = read_point == ReadPoint::kStart ? entry.starts
                                                 : Timestamp{static_cast<std::int64_t>(arrival), 0};
  if (txn.sequence) {
    at = {txn.sequence->number, 0};
    entry.place.completed = txn.sequence->completed;
    entry.place.committed = entry.ends.time();
  }
  entry.place.at = Moment::of(at, Moment::kCommit);
  entry.place.arrival = arrival;
  return entry;
}

/// The end of a transaction that others must follow. A transaction that starts and commits at one
/// time comes after all others that commit then.
std::pair<Timestamp, bool> end_of(const SessionEntry& entry) {
  return {entry.ends.time(), entry.ends.kind == Moment::kInstant};
}

/// Whether the entry begins before the end of the one that it must follow.
bool is_too_early(const SessionEntry& entry, const SessionEntry& before, ReadPoint read_point) {
  return read_point == ReadPoint::kCommit ? end_of(before) > end_of(entry)
                                          : before.ends.time() > entry.starts;
}

/// Whether an entry that is too early at its place is certainly wrong. Of two that certainly
/// committed and overlap, one is too early in either order.
bool is_wrong_for_certain(const SessionEntry& entry, const SessionEntry& before) {
  if (entry.is_numbered || before.is_numbered) {
    return entry.is_numbered && before.is_numbered;
  }
  return before.starts <= entry.starts &&
         (entry.is_certain || before.place.arrival < entry.place.arrival);
}

}  // namespace

bool OnlineSession::add(const PlacedTxn& txn, std::uint64_t arrival, ReadPoint read_point,
                        Paging& paging, SessionObserver& observer) {
  const SessionEntry entry = new_entry(txn, arrival, read_point);
  insert(entry, paging);
  Place place = find(entry.place, paging);
  bool is_last = true;
  bool is_doubtful = false;
  bool is_behind_certain = false;
  do {
    const SessionEntry* before = certain_before(place, paging);
    SessionEntry& current = place.first->entries[place.second];
    const bool is_early = before != nullptr && is_too_early(current, *before, read_point);
    const bool is_wrong = is_early && is_wrong_for_certain(current, *before);
    is_doubtful = is_doubtful || (is_early && !is_wrong) ||
                  (before != nullptr && before->is_numbered != current.is_numbered);
    const Atom was = std::exchange(current.missed, is_wrong ? before->txn : Atom::none());
    current.missed_end = is_wrong ? before->ends.time() : Timestamp();
    if (was != current.missed) {
      place.first->is_dirty = true;
      observer.on_session(name_, current, was);
    }
    is_last = current.place == entry.place;
    is_behind_certain = current.is_certain && !is_last;
  } while (!is_behind_certain && step(place, paging));
  return !is_doubtful && (is_last || entry.is_numbered);
}

void OnlineSession::insert(const SessionEntry& entry, Paging& paging) {
  pages_.add_entry(pages_.at(entry.at(), paging), paging, [&](SessionPage& page) {
    const auto place =
        page.entries.empty() || page.entries.back().place < entry.place
            ? page.entries.end()
            : std::ranges::upper_bound(page.entries, entry.place, {}, &SessionEntry::place);
    page.entries.insert(place, entry);
  });
}

OnlineSession::Place OnlineSession::find(const SessionPlace& place, Paging& paging) {
  SessionPage& page = pages_.at(place.at, paging);
  const auto found = std::ranges::lower_bound(page.entries, place, {}, &SessionEntry::place);
  return {&page, static_cast<std::size_t>(found - page.entries.begin())};
}

SessionEntry OnlineSession::entry(Moment at, Atom txn, Paging& paging) {
  const std::vector<SessionEntry>& entries = pages_.at(at, paging).entries;
  const auto first = std::ranges::lower_bound(entries, at, {}, &SessionEntry::at);
  const auto found = std::find_if(first, entries.end(),
                                  [&](const SessionEntry& entry) { return entry.txn == txn; });
  // It is there, unless the store has failed.
  return found != entries.end() ? *found : SessionEntry{};
}

const SessionEntry* OnlineSession::certain_before(Place place, Paging& paging) {
  auto [page, index] = place;
  while (true) {
    for (; index > 0; --index) {
      if (page->entries[index - 1].is_certain) {
        return &page->entries[index - 1];
      }
    }
    page = pages_.previous(*page, paging);
    if (page == nullptr) {
      return nullptr;
    }
    index = page->entries.size();
  }
}

/// To the next entry, if there is one.
bool OnlineSession::step(Place& place, Paging& paging) {
  ++place.second;
  while (place.second == place.first->entries.size()) {
    SessionPage* next = pages_.next(*place.first, paging);
    if (next == nullptr) {
      return false;
    }
    place = {next, 0};
  }
  return true;
}

}  // namespace elapid
