#include "engine/online/key_page.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/online/byte_codec.h"

namespace elapid {

namespace {

/// The place of the first version at a moment or behind it.
Entries<OnlineVersion>::const_iterator first_from(const KeyPage& page, Moment moment) {
  const auto& versions = page.versions;
  if (!versions.empty() && versions.back().at < moment) {
    return versions.end();
  }
  return std::ranges::lower_bound(versions, moment, {}, &OnlineVersion::at);
}

/// Moves what happens from a moment on to another list.
template <class List>
void move_from(List& from, Moment moment, List& into) {
  const auto first = std::ranges::lower_bound(from, moment, {}, &List::value_type::at);
  into.assign(first, from.end());
  from.erase(first, from.end());
}

void find_longest(KeyPage& page) {
  page.longest = 0;
  for (const OnlineVersion& version : page.versions) {
    page.longest = std::max(page.longest, version.duration());
  }
}

void write(ByteWriter& out, const OnlineVersion& version) {
  out.add(version.at);
  out.add(Moment::of(version.start, Moment::kCommit));
  out.add_name(version.writer);
  out.add_value(version.value);
}

OnlineVersion read_version(ByteReader& in) {
  OnlineVersion version;
  version.at = in.moment();
  version.start = in.moment().time();
  version.writer = in.name();
  version.value = in.value();
  return version;
}

}  // namespace

/// The version that is current after the versions before this one.
KeyPage::Current KeyPage::left_before(Entries<OnlineVersion>::const_iterator after) const {
  if (after == versions.begin()) {
    return {floor ? &*floor : nullptr, is_floor_tied};
  }
  const auto version = std::prev(after);
  return {&*version, version != versions.begin() && std::prev(version)->at == version->at};
}

KeyPage::Current KeyPage::current(Moment moment) const {
  return left_before(first_from(*this, moment));
}

KeyPage::Current KeyPage::current_for(Moment moment, Atom reader) const {
  auto version = first_from(*this, moment);
  Current current = left_before(version);
  for (; version != versions.end() && version->at == moment; ++version) {
    current.is_tied = current.is_tied || version->writer != reader;
  }
  return current;
}

void KeyPage::rest_on(Current before) {
  floor = before.version == nullptr ? std::nullopt : std::optional(*before.version);
  is_floor_tied = before.is_tied;
}

const OnlineVersion* KeyPage::version_of(Moment moment, Atom writer) const {
  if (floor && floor->at == moment && floor->writer == writer) {
    return &*floor;
  }
  const auto version =
      std::find_if(first_from(*this, moment), versions.end(), [&](const OnlineVersion& candidate) {
        return candidate.at != moment || candidate.writer == writer;
      });
  return version != versions.end() && version->at == moment ? &*version : nullptr;
}

const OnlineRead* KeyPage::read_of(Moment moment, Atom reader) const {
  auto read = std::ranges::lower_bound(reads, moment, {}, &OnlineRead::at);
  while (read != reads.end() && read->at == moment && read->reader != reader) {
    ++read;
  }
  return read != reads.end() && read->at == moment ? &*read : nullptr;
}

bool KeyPage::has_entries_before(Moment moment) const {
  return (!versions.empty() && versions.front().at < moment) ||
         (!reads.empty() && reads.front().at < moment);
}

/// Cuts in the middle. The last page is cut at its end, since later versions usually follow in
/// order. What happens at one moment stays together, so that a page knows its ties.
std::optional<Moment> KeyPage::cut(bool is_last) const {
  Moment first = Moment::last();
  Moment last = Moment::first();
  if (!versions.empty()) {
    first = versions.front().at;
    last = versions.back().at;
  }
  if (!reads.empty()) {
    first = std::min(first, reads.front().at);
    last = std::max(last, reads.back().at);
  }
  Moment at = last;
  if (!is_last) {
    at = versions.size() > reads.size() ? versions[versions.size() / 2].at
                                        : reads[reads.size() / 2].at;
    at = at == first ? last : at;
  }
  return first < at ? std::optional(at) : std::nullopt;
}

KeyPage KeyPage::split(Moment from) {
  KeyPage rest;
  rest.begin = from;
  rest.rest_on(current(from));
  move_from(versions, from, rest.versions);
  move_from(reads, from, rest.reads);
  move_from(passing_values, from, rest.passing_values);
  // The last page will become as large as this one.
  rest.versions.reserve(versions.size());
  rest.reads.reserve(reads.size());
  find_longest(*this);
  find_longest(rest);
  return rest;
}

std::string KeyPage::encode() const {
  ByteWriter out;
  out.add((floor ? 1U : 0U) | (is_floor_tied ? 2U : 0U));
  if (floor) {
    write(out, *floor);
  }
  out.add(versions.size());
  for (const OnlineVersion& version : versions) {
    write(out, version);
  }
  out.add(reads.size());
  for (const OnlineRead& read : reads) {
    out.add(read.at);
    out.add_name(read.reader);
    out.add_value(read.value);
    out.add(std::uint64_t{read.mop} << 2 | static_cast<std::uint64_t>(read.state));
    out.add(read.next.bits());
  }
  out.add(passing_values.size());
  for (const PassingValue& passing : passing_values) {
    out.add(passing.at);
    out.add_name(passing.writer);
    out.add_value(passing.value);
  }
  return std::move(out).take();
}

KeyPage KeyPage::decode(Moment begin, std::string_view bytes) {
  KeyPage page;
  page.begin = begin;
  page.is_dirty = false;
  ByteReader in(bytes);
  const std::uint64_t flags = in.number();
  page.is_floor_tied = (flags & 2) != 0;
  if ((flags & 1) != 0) {
    page.floor = read_version(in);
  }
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    page.versions.push_back(read_version(in));
  }
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    OnlineRead read;
    read.at = in.moment();
    read.reader = in.name();
    read.value = in.value();
    const std::uint64_t rest = in.number();
    read.mop = static_cast<std::uint32_t>(rest >> 2);
    read.state = static_cast<ReadState>(rest & 3);
    read.next = Atom::from_bits(in.number());
    page.reads.push_back(read);
  }
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    PassingValue passing;
    passing.at = in.moment();
    passing.writer = in.name();
    passing.value = in.value();
    page.passing_values.push_back(passing);
  }
  find_longest(page);
  return page;
}

}  // namespace elapid
