#include "engine/online/online_register.h"

namespace elapid {

namespace {

ReadName name_of(const OnlineRead& read) {
  return {read.at, read.reader, read.mop};
}

/// The moment of the version behind one that belongs at this place, if it is in the same page.
std::optional<Moment> next_moment(VersionPlace place, Moment at) {
  const Entries<OnlineVersion>& versions = place.page->versions;
  while (place.index < versions.size() && versions[place.index].at == at) {
    ++place.index;
  }
  return place.index < versions.size() ? std::optional(versions[place.index].at) : std::nullopt;
}

}  // namespace

ReadState OnlineRegister::judge(KeyPage::Current current, const OnlineRead& read,
                                const KeyContext& context) const {
  if (current.is_tied) {
    return ReadState::kTied;
  }
  if (current.version == nullptr ? context.is_initial(read.value)
                                 : read.value == current.version->value) {
    return ReadState::kRight;
  }
  return context.unplaced.is_maybe(name_, read.value) ? ReadState::kMaybe : ReadState::kWrong;
}

void OnlineRegister::add_read(const ReadName& read, Atom value, Atom next,
                              const KeyContext& context) {
  KeyPage& page = pages_.at(read.at, context.paging);
  OnlineRead entry = {
      .at = read.at, .reader = read.reader, .value = value, .mop = read.mop, .next = next};
  const KeyPage::Current current = page.current_for(read.at, read.reader);
  entry.state = judge(current, entry, context);
  if (entry.state != ReadState::kRight) {
    tell(entry, current, ReadState::kRight, context);
  }
  pages_.add_entry(page, context.paging, [&](KeyPage& into) {
    const auto place = into.reads.empty() || name_of(into.reads.back()) < read
                           ? into.reads.end()
                           : std::ranges::upper_bound(into.reads, read, {}, name_of);
    into.reads.insert(place, entry);
  });
}

void OnlineRegister::tell(const OnlineRead& read, KeyPage::Current current, ReadState before,
                          const KeyContext& context) const {
  const OnlineVersion* const version = current.version;
  context.observer.on_read(name_, name_of(read), before, read.state,
                           {.shown = read.value,
                            .expected = version == nullptr ? context.initial : version->value,
                            .writer = version == nullptr ? Atom::none() : version->writer});
}

void OnlineRegister::add_version(const OnlineVersion& version, const KeyContext& context) {
  const VersionPlace place = find_place(pages_, version, context.paging);
  if (context.forbids_conflicts) {
    find_conflicts(pages_, place, name_, version, context.paging, context.observer);
  }
  const std::optional<Moment> next = next_moment(place, version.at);
  const AddedVersion added = elapid::add_version(pages_, place, version, context.paging);
  if (!added.is_newest) {
    rejudge_from(added.page, version.at, next, context);
  }
}

void OnlineRegister::add_passing(const PassingValue& passing, const KeyContext& context) {
  KeyPage& page = pages_.at(passing.at, context.paging);
  pages_.add_entry(page, context.paging, [&](KeyPage& into) {
    into.passing_values.insert(
        std::ranges::upper_bound(into.passing_values, passing.at, {}, &PassingValue::at), passing);
  });
}

void OnlineRegister::rejudge(KeyPage& page, OnlineRead& read, KeyPage::Current current,
                             const KeyContext& context) {
  const ReadState before = read.state;
  const ReadState now = judge(current, read, context);
  if (before == ReadState::kRight && now == ReadState::kRight) {
    return;
  }
  page.is_dirty = page.is_dirty || now != before;
  read.state = now;
  tell(read, current, before, context);
}

/// Judges the reads from one moment to another, both included, with no version in between. All
/// reads strictly in between should show the same; those at the ends are looked up.
void OnlineRegister::rejudge_between(KeyPage& page, Moment from, Moment until,
                                     const KeyContext& context) {
  if (page.reads.empty() || page.reads.back().at < from) {
    return;
  }
  std::optional<KeyPage::Current> between;
  auto read = std::ranges::lower_bound(page.reads, from, {}, &OnlineRead::at);
  for (; read != page.reads.end() && read->at <= until; ++read) {
    if (read->at == from || read->at == until) {
      rejudge(page, *read, page.current_for(read->at, read->reader), context);
    } else {
      between = between ? between : std::optional(page.current(read->at));
      rejudge(page, *read, *between, context);
    }
  }
}

/// Judges the reads from a new version to the next one, in all pages. `next`: the moment of the
/// next one; absent if it is in another page, or there is none.
void OnlineRegister::rejudge_from(KeyPage* page, Moment from, std::optional<Moment> next,
                                  const KeyContext& context) {
  for (; page != nullptr; page = pages_.next(*page, context.paging)) {
    const Entries<OnlineVersion>& versions = page->versions;
    if (!next && !versions.empty() && from < versions.front().at) {
      next = versions.front().at;
    }
    rejudge_between(*page, from, next.value_or(Moment::last()), context);
    if (next && !versions.empty() && *next <= versions.back().at) {
      return;
    }
  }
}

void OnlineRegister::rejudge_value(Atom value, const KeyContext& context) {
  for (KeyPage* page = &pages_.at(Moment::first(), context.paging); page != nullptr;
       page = pages_.next(*page, context.paging)) {
    for (OnlineRead& read : page->reads) {
      if (read.value == value) {
        rejudge(*page, read, page->current_for(read.at, read.reader), context);
      }
    }
  }
}

OnlineRead OnlineRegister::find(const ReadName& read, const KeyContext& context) {
  const KeyPage& page = pages_.at(read.at, context.paging);
  const auto found = std::ranges::lower_bound(page.reads, read, {}, name_of);
  // It is there, unless the store has failed.
  return found != page.reads.end() ? *found : OnlineRead{};
}

std::optional<OnlineRead> OnlineRegister::read_of(Atom reader, Moment at,
                                                  const KeyContext& context) {
  const OnlineRead* const read = pages_.at(at, context.paging).read_of(at, reader);
  return read == nullptr ? std::nullopt : std::optional(*read);
}

Atom OnlineRegister::left_by(Atom writer, Moment at, const KeyContext& context) {
  const OnlineVersion* const version = pages_.at(at, context.paging).version_of(at, writer);
  return version == nullptr ? Atom::none() : version->value;
}

std::optional<OnlineVersion> OnlineRegister::expected(const ReadName& read,
                                                      const KeyContext& context) {
  const OnlineVersion* version = pages_.at(read.at, context.paging).current(read.at).version;
  return version == nullptr ? std::nullopt : std::optional(*version);
}

bool OnlineRegister::may_be_skew(const OnlineRead& read, const KeyContext& context) {
  const ClockSkew& skew = context.clock_skew;
  const Timestamp time = read.at.time();
  std::optional<Timestamp> past;  // the last version that is certainly older than the read
  for (KeyPage* page = &pages_.at(Moment::of(skew.after(time), Moment::kStart), context.paging);
       page != nullptr; page = pages_.previous(*page, context.paging)) {
    for (auto version = page->versions.rbegin(); version != page->versions.rend(); ++version) {
      const Timestamp committed = version->at.time();
      if (past && skew.is_certainly_before(committed, *past)) {
        return false;  // and so is everything before it
      }
      if (version->value == read.value && version->writer != read.reader &&
          !skew.is_certainly_before(time, committed)) {
        return true;
      }
      if (!past && skew.is_certainly_before(committed, time)) {
        past = committed;
      }
    }
  }
  return !past && context.is_initial(read.value);
}

OnlineOrigin OnlineRegister::origin(const OnlineRead& read, const KeyContext& context) {
  OriginSearch search(read, {.origin = context.is_initial(read.value) ? ReadOrigin::kBefore
                                                                      : ReadOrigin::kNowhere});
  const auto look_at = [&](const KeyPage& page) {
    std::for_each(page.versions.rbegin(), page.versions.rend(),
                  [&](const OnlineVersion& version) { search.look_at(version); });
    for (const PassingValue& passing : page.passing_values) {
      search.look_at(passing);
    }
  };
  // Versions at the time of the read may be in the pages behind.
  const Moment until = Moment::of(read.at.time(), Moment::kStart);
  KeyPage* const here = &pages_.at(until, context.paging);
  for (KeyPage* page = here; page != nullptr && !search.is_settled();
       page = pages_.previous(*page, context.paging)) {
    look_at(*page);
  }
  for (KeyPage* page = pages_.next(*here, context.paging); page != nullptr && !search.is_settled();
       page = pages_.next(*page, context.paging)) {
    look_at(*page);
  }
  search.look_at_aborted(context.unplaced.aborted_writer(name_, read.value));
  return search.best();
}

}  // namespace elapid
