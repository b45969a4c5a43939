#include "engine/online/online_list.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "engine/ir/matched_list.h"

namespace elapid {

std::span<const Atom> OnlineList::elements(const ListRead& read) const {
  return read.literal < 0 ? std::span(trunk_).first(read.length)
                          : std::span(literals_[static_cast<std::size_t>(read.literal)]);
}

std::size_t OnlineList::count_before(Moment moment) const {
  if (elements_.empty() || elements_.back().at < moment) {
    return elements_.size();
  }
  const auto after = std::ranges::lower_bound(elements_, moment, {}, &Element::at);
  return static_cast<std::size_t>(after - elements_.begin());
}

/// Whether the read shows the first `length` elements.
bool OnlineList::is_list(const ListRead& read, std::size_t length) const {
  if (read.length != length) {
    return false;
  }
  if (read.literal < 0) {
    return agreeing_ >= length;
  }
  return std::ranges::equal(elements(read), std::span(elements_).first(length), {}, {},
                            &Element::value);
}

/// Whether it shows them, except for elements that have no place in time.
bool OnlineList::explained_by_maybe(const ListRead& read, std::size_t length,
                                    const KeyContext& context) const {
  return is_explained(elements(read),
                      std::span(elements_).first(length) | std::views::transform(&Element::value),
                      [&](Atom element) { return context.unplaced.is_maybe(name_, element); });
}

ReadState OnlineList::judge(const ListRead& read, const KeyContext& context) const {
  const std::size_t length = count_before(read.at);
  const auto writes_then = [&](const Element& element) {
    return element.at == read.at && element.writer != read.reader;
  };
  const auto behind = elements_.begin() + static_cast<std::ptrdiff_t>(length);
  const auto end_of_moment =
      std::find_if(behind, elements_.end(), [&](const Element& e) { return e.at != read.at; });
  if (first_tie_ < read.at || std::any_of(behind, end_of_moment, writes_then)) {
    return ReadState::kTied;
  }
  if (is_list(read, length)) {
    return ReadState::kRight;
  }
  return !context.unplaced.empty() && explained_by_maybe(read, length, context) ? ReadState::kMaybe
                                                                                : ReadState::kWrong;
}

/// Stores the read as a prefix of the trunk if it is one, or has become the trunk.
void OnlineList::represent(ListRead& read, std::span<const Atom> shown) {
  read.length = static_cast<std::uint32_t>(shown.size());
  const std::size_t common = std::min(shown.size(), trunk_.size());
  if (!std::ranges::equal(shown.first(common), std::span(trunk_).first(common))) {
    read.literal = static_cast<std::int32_t>(literals_.size());
    literals_.emplace_back(shown.begin(), shown.end());
    literal_elements_ += shown.size();
  } else if (shown.size() > trunk_.size()) {
    trunk_.insert(trunk_.end(), shown.begin() + static_cast<std::ptrdiff_t>(common), shown.end());
    compare_with_trunk();
  }
}

void OnlineList::compare_with_trunk() {
  const std::size_t common = std::min(trunk_.size(), elements_.size());
  while (agreeing_ < common && elements_[agreeing_].value == trunk_[agreeing_]) {
    ++agreeing_;
  }
}

void OnlineList::add_read(const ReadName& read, std::span<const Atom> shown,
                          const KeyContext& context) {
  ListRead entry = {.at = read.at, .reader = read.reader, .mop = read.mop};
  represent(entry, shown);
  entry.state = judge(entry, context);
  const auto place = reads_.empty() || name_of(reads_.back()) < read
                         ? reads_.end()
                         : std::ranges::upper_bound(reads_, read, {}, name_of);
  reads_.insert(place, entry);
  if (entry.state != ReadState::kRight) {
    context.observer.on_read(name_, read, ReadState::kRight, entry.state, {});
  }
}

void OnlineList::add_version(const OnlineVersion& version, std::span<const Atom> appended,
                             const KeyContext& context) {
  const VersionPlace page_place = find_place(pages_, version, context.paging);
  if (context.forbids_conflicts) {
    find_conflicts(pages_, page_place, name_, version, context.paging, context.observer);
  }
  elapid::add_version(pages_, page_place, version, context.paging);
  const auto place_of = [](const Element& element) {
    return std::pair(element.at, element.writer);
  };
  const auto place =
      std::ranges::upper_bound(elements_, std::pair(version.at, version.writer), {}, place_of);
  agreeing_ = std::min(agreeing_, static_cast<std::size_t>(place - elements_.begin()));
  std::vector<Element> added;
  for (const Atom value : appended) {
    added.push_back({version.at, version.start, version.writer, value});
  }
  elements_.insert(place, added.begin(), added.end());
  compare_with_trunk();
  note_tie(version.at);
  rejudge_from(version.at, context);
}

void OnlineList::note_tie(Moment at) {
  const auto same = std::ranges::equal_range(elements_, at, {}, &Element::at);
  if (same.front().writer != same.back().writer) {
    first_tie_ = std::min(first_tie_, at);
  }
}

void OnlineList::rejudge_from(Moment from, const KeyContext& context) {
  if (reads_.empty() || reads_.back().at < from) {
    return;
  }
  for (auto read = std::ranges::lower_bound(reads_, from, {}, &ListRead::at); read != reads_.end();
       ++read) {
    const ReadState before = std::exchange(read->state, judge(*read, context));
    if (before != ReadState::kRight || read->state != ReadState::kRight) {
      context.observer.on_read(name_, name_of(*read), before, read->state, {});
    }
  }
}

void OnlineList::forget_reads(Timestamp time) {
  const auto last =
      std::ranges::upper_bound(reads_, Moment::of(time, Moment::kStart), {}, &ListRead::at);
  reads_.erase(reads_.begin(), last);
  const auto is_literal = [](const ListRead& read) { return read.literal >= 0; };
  if (literal_elements_ > 0 && std::ranges::none_of(reads_, is_literal)) {
    literals_.clear();
    literal_elements_ = 0;
  }
}

const OnlineList::ListRead& OnlineList::find(const ReadName& read) const {
  return *std::ranges::lower_bound(reads_, read, {}, name_of);
}

ReadState OnlineList::state(const ReadName& read) const {
  return find(read).state;
}

std::span<const Atom> OnlineList::shown(const ReadName& read) const {
  return elements(find(read));
}

std::vector<Atom> OnlineList::expected(const ReadName& read) const {
  std::vector<Atom> values;
  for (const Element& element : std::span(elements_).first(count_before(read.at))) {
    values.push_back(element.value);
  }
  return values;
}

Atom OnlineList::expected_writer(const ReadName& read) const {
  const std::size_t count = count_before(read.at);
  return count == 0 ? Atom::none() : elements_[count - 1].writer;
}

Moment OnlineList::expected_at(const ReadName& read) const {
  const std::size_t count = count_before(read.at);
  return count == 0 ? Moment::first() : elements_[count - 1].at;
}

const OnlineList::ListRead* OnlineList::read_of(Atom reader, Moment at) const {
  const auto place_of = [](const ListRead& read) { return std::pair(read.at, read.reader); };
  const auto found = std::ranges::lower_bound(reads_, std::pair(at, reader), {}, place_of);
  return found != reads_.end() && place_of(*found) == std::pair(at, reader) ? &*found : nullptr;
}

std::optional<std::span<const Atom>> OnlineList::seen_by(Atom reader, Moment at) const {
  const ListRead* const read = read_of(reader, at);
  return read == nullptr ? std::nullopt : std::optional(elements(*read));
}

Atom OnlineList::next(Atom reader, Moment at) const {
  const ListRead* const read = read_of(reader, at);
  return read == nullptr ? Atom::none() : read->next;
}

Atom OnlineList::left_by(Atom writer, Moment at) const {
  const auto place_of = [](const Element& element) {
    return std::pair(element.at, element.writer);
  };
  const auto after = std::ranges::upper_bound(elements_, std::pair(at, writer), {}, place_of);
  return after != elements_.begin() && place_of(*std::prev(after)) == std::pair(at, writer)
             ? std::prev(after)->value
             : Atom::none();
}

void OnlineList::set_next(const ReadName& read, Atom next) {
  std::ranges::lower_bound(reads_, read, {}, name_of)->next = next;
}

OnlineOrigin OnlineList::origin(const ReadName& read, const KeyContext& context) const {
  const std::span<const Atom> list = shown(read);
  const MatchedList matched = match_list(list, expected(read), [&](Atom element) {
    return context.unplaced.is_maybe(name_, element);
  });
  if (matched.shown == list.size()) {
    return missing_origin(matched.certain);
  }
  const Atom suspect = list[matched.shown];
  OriginSearch search({.at = read.at, .reader = read.reader, .value = suspect}, {});
  for (const Element& element : elements_) {
    search.look_at({element.at, element.start, element.writer, element.value});
  }
  search.look_at_aborted(context.unplaced.aborted_writer(name_, suspect));
  return search.best();
}

/// The read list is a prefix of the expected one. So the place of an element tells which
/// transaction appended it, even if others appended the same.
OnlineOrigin OnlineList::missing_origin(std::size_t length) const {
  if (length == 0) {
    return {.origin = ReadOrigin::kBefore};
  }
  const Atom writer = elements_[length - 1].writer;
  const bool went_on = length < elements_.size() && elements_[length].writer == writer;
  return {went_on ? ReadOrigin::kIntermediate : ReadOrigin::kBefore, writer};
}

/// No element shown is certainly from the future, or stands behind one that is certainly later, and
/// no missing element is certainly past. All elements of a transaction are there, or none. An
/// element shown that several may have appended has no known time.
bool OnlineList::may_be_skew(const ReadName& read, const KeyContext& context) const {
  const ClockSkew& skew = context.clock_skew;
  std::map<Atom, const Element*> known;
  std::set<Atom> ambiguous;
  for (const Element& element : elements_) {
    const bool is_first = known.try_emplace(element.value, &element).second;
    if (!is_first || context.unplaced.is_maybe(name_, element.value)) {
      ambiguous.insert(element.value);
    }
  }
  const Timestamp time = read.at.time();
  std::set<Atom> shown_values;
  std::set<Atom> writers;
  std::optional<Timestamp> latest;
  for (const Atom value : shown(read)) {
    shown_values.insert(value);
    if (ambiguous.contains(value) || context.unplaced.is_maybe(name_, value)) {
      continue;
    }
    const auto found = known.find(value);
    if (found == known.end()) {
      return false;
    }
    const Timestamp committed = found->second->at.time();
    if (skew.is_certainly_before(time, committed) ||
        (latest && skew.is_certainly_before(committed, *latest))) {
      return false;
    }
    latest = std::max(latest.value_or(committed), committed);
    writers.insert(found->second->writer);
  }
  return std::ranges::none_of(known, [&](const auto& entry) {
    const Element& element = *entry.second;
    return element.writer != read.reader && !shown_values.contains(entry.first) &&
           (skew.is_certainly_before(element.at.time(), time) || writers.contains(element.writer));
  });
}

std::size_t OnlineList::memory() const {
  return elements_.capacity() * sizeof(Element) + reads_.capacity() * sizeof(ListRead) +
         (trunk_.capacity() + literal_elements_) * sizeof(Atom) +
         literals_.capacity() * sizeof(std::vector<Atom>);
}

std::string OnlineList::encode() const {
  ByteWriter out;
  out.add(elements_.size());
  for (const Element& element : elements_) {
    out.add(element.at);
    out.add(Moment::of(element.start, Moment::kCommit));
    out.add_name(element.writer);
    out.add_value(element.value);
  }
  out.add(trunk_.size());
  std::ranges::for_each(trunk_, [&](Atom value) { out.add_value(value); });
  out.add(reads_.size());
  for (const ListRead& read : reads_) {
    out.add(read.at);
    out.add_name(read.reader);
    out.add(std::uint64_t{read.mop} << 2 | static_cast<std::uint64_t>(read.state));
    out.add(read.next.bits());
    out.add(read.length);
    out.add(read.literal < 0 ? 0U : 1U);
    if (read.literal >= 0) {
      std::ranges::for_each(elements(read), [&](Atom value) { out.add_value(value); });
    }
  }
  out.add(first_tie_);
  return std::move(out).take();
}

void OnlineList::restore(std::string_view bytes) {
  ByteReader in(bytes);
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    Element element;
    element.at = in.moment();
    element.start = in.moment().time();
    element.writer = in.name();
    element.value = in.value();
    elements_.push_back(element);
  }
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    trunk_.push_back(in.value());
  }
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    ListRead read;
    read.at = in.moment();
    read.reader = in.name();
    const std::uint64_t rest = in.number();
    read.mop = static_cast<std::uint32_t>(rest >> 2);
    read.next = Atom::from_bits(in.number());
    read.state = static_cast<ReadState>(rest & 3);
    read.length = static_cast<std::uint32_t>(in.number());
    if (in.number() != 0) {
      read.literal = static_cast<std::int32_t>(literals_.size());
      std::vector<Atom>& literal = literals_.emplace_back();
      for (std::uint32_t i = 0; i < read.length && !in.is_at_end(); ++i) {
        literal.push_back(in.value());
      }
      literal_elements_ += read.length;
    }
    reads_.push_back(read);
  }
  first_tie_ = in.moment();
  compare_with_trunk();
}

}  // namespace elapid
