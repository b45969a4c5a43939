#include "engine/online/session_page.h"

#include <algorithm>
#include <utility>

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

}  // namespace elapid
