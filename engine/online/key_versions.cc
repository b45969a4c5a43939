#include "engine/online/key_versions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace elapid {

namespace {

std::pair<Moment, Atom> place(const OnlineVersion& version) {
  return {version.at, version.writer};
}

std::size_t index_of(const KeyPage& page, const OnlineVersion& version) {
  if (page.versions.empty() || place(page.versions.back()) < place(version)) {
    return page.versions.size();
  }
  const auto found = std::ranges::lower_bound(page.versions, place(version), {}, place);
  return static_cast<std::size_t>(found - page.versions.begin());
}

/// Versions before the new one, from the last one back to the start of the new one's writer.
void find_earlier(KeyPages& pages, KeyPage* page, std::size_t index, Atom key,
                  const OnlineVersion& version, Paging& paging, KeyObserver& observer) {
  while (page != nullptr) {
    for (; index > 0; --index) {
      const OnlineVersion& earlier = page->versions[index - 1];
      if (earlier.at.time() <= version.start) {
        return;
      }
      observer.on_conflict(key, earlier, version);
    }
    if (!page->floor || page->floor->at.time() <= version.start) {
      return;
    }
    page = pages.previous(*page, paging);
    index = page == nullptr ? 0 : page->versions.size();
  }
}

/// Versions behind the new one whose writers had started before it. Looks only as far in a page as
/// its longest transaction reaches.
void find_later(KeyPages& pages, KeyPage* page, std::size_t index, Atom key,
                const OnlineVersion& version, Paging& paging, KeyObserver& observer) {
  const auto commit = static_cast<std::uint64_t>(version.at.physical);
  for (; page != nullptr; page = pages.next(*page, paging), index = 0) {
    for (; index < page->versions.size(); ++index) {
      const OnlineVersion& later = page->versions[index];
      if (static_cast<std::uint64_t>(later.at.physical) - commit > page->longest) {
        break;
      }
      if (later.start < version.at.time()) {
        observer.on_conflict(key, version, later);
      }
    }
  }
}

/// The pages behind a new version, up to the next version, begin with the new one.
void renew_floors(KeyPages& pages, const KeyPage* page, Moment at, Paging& paging) {
  if (at < page->versions.back().at) {
    return;
  }
  while (KeyPage* behind = pages.next(*page, paging)) {
    behind->rest_on(page->current(behind->begin));
    behind->is_dirty = true;
    if (!behind->versions.empty()) {
      return;
    }
    page = behind;
  }
}

}  // namespace

VersionPlace find_place(KeyPages& pages, const OnlineVersion& version, Paging& paging) {
  KeyPage& page = pages.at(version.at, paging);
  return {&page, index_of(page, version)};
}

AddedVersion add_version(KeyPages& pages, VersionPlace place, const OnlineVersion& version,
                         Paging& paging) {
  KeyPage& page = *place.page;
  const bool is_newest = pages.is_last(page) && page.is_before(version.at);
  const bool has_split = pages.add_entry(page, paging, [&](KeyPage& into) {
    into.versions.insert(into.versions.begin() + static_cast<std::ptrdiff_t>(place.index), version);
    into.longest = std::max(into.longest, version.duration());
  });
  KeyPage& here = has_split ? pages.at(version.at, paging) : page;
  if (!is_newest) {
    renew_floors(pages, &here, version.at, paging);
  }
  return {&here, is_newest};
}

void find_conflicts(KeyPages& pages, VersionPlace place, Atom key, const OnlineVersion& version,
                    Paging& paging, KeyObserver& observer) {
  const auto [page, index] = place;
  find_earlier(pages, page, index, key, version, paging, observer);
  if (!pages.is_last(*page) || index < page->versions.size()) {
    find_later(pages, page, index, key, version, paging, observer);
  }
}

}  // namespace elapid
