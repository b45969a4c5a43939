#include "engine/online/online_session.h"

#include <algorithm>

namespace elapid {

namespace {

/// When a transaction that others must follow has ended: what starts and commits at one time does
/// so after whatever else commits then.
std::pair<Timestamp, bool> end_of(const SessionEntry& entry) {
  return {entry.ends.time(), entry.ends.kind == Moment::kInstant};
}

/// Whether one begins before another one that should have ended by then.
bool is_too_early(const SessionEntry& entry, const SessionEntry& before, ReadPoint read_point) {
  return read_point == ReadPoint::kCommit ? end_of(before) > end_of(entry)
                                          : before.ends.time() > entry.reads;
}

}  // namespace

bool OnlineSession::add(const SessionEntry& entry, ReadPoint read_point, Paging& paging,
                        SessionObserver& observer) {
  pages_.add_entry(pages_.at(entry.at, paging), paging, [&](SessionPage& page) {
    const auto place =
        page.entries.empty() || page.entries.back().place() < entry.place()
            ? page.entries.end()
            : std::ranges::upper_bound(page.entries, entry.place(), {}, &SessionEntry::place);
    page.entries.insert(place, entry);
  });
  Place place = find(entry.place(), paging);
  bool is_last = true;
  bool is_behind_certain = false;
  do {
    const SessionEntry* before = certain_before(place, paging);
    SessionEntry& current = place.first->entries[place.second];
    const bool is_early = before != nullptr && is_too_early(current, *before, read_point);
    const Atom was = std::exchange(current.missed, is_early ? before->txn : Atom::none());
    current.missed_end = is_early ? before->ends.time() : Timestamp();
    if (was != current.missed) {
      place.first->is_dirty = true;
      observer.on_session(name_, current, was);
    }
    is_last = current.place() == entry.place();
    is_behind_certain = current.is_certain && !is_last;
  } while (!is_behind_certain && step(place, paging));
  return is_last;
}

OnlineSession::Place OnlineSession::find(const SessionPlace& place, Paging& paging) {
  SessionPage& page = pages_.at(place.at, paging);
  const auto found = std::ranges::lower_bound(page.entries, place, {}, &SessionEntry::place);
  return {&page, static_cast<std::size_t>(found - page.entries.begin())};
}

SessionEntry OnlineSession::entry(const SessionPlace& place, Paging& paging) {
  const auto [page, index] = find(place, paging);
  // It is there, unless the store has failed.
  return index < page->entries.size() ? page->entries[index] : SessionEntry{};
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
