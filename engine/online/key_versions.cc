#include "engine/online/key_versions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
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

/// Versions before the new one, from the last one back to its start.
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

/// Versions behind the new one whose writers had started.
void find_later(KeyPages& pages, KeyPage* page, std::size_t index, Atom key,
                const OnlineVersion& version, Paging& paging, KeyObserver& observer) {
  for (; page != nullptr; page = pages.next(*page, paging), index = 0) {
    if (page->least_start >= version.at.time()) {
      continue;
    }
    for (; index < page->versions.size(); ++index) {
      if (page->versions[index].start < version.at.time()) {
        observer.on_conflict(key, version, page->versions[index]);
      }
    }
  }
}

/// The pages behind that of a new version up to the next version rest on it.
void renew_floors(KeyPages& pages, Moment at, Paging& paging) {
  const KeyPage* page = &pages.at(at, paging);
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

bool add_version(KeyPages& pages, VersionPlace place, const OnlineVersion& version,
                 Paging& paging) {
  KeyPage& page = *place.page;
  const bool is_newest = pages.is_last(page) && page.is_before(version.at);
  pages.add_entry(page, paging, [&](KeyPage& into) {
    into.versions.insert(into.versions.begin() + static_cast<std::ptrdiff_t>(place.index), version);
    into.least_start = std::min(into.least_start, version.start);
  });
  if (!is_newest) {
    renew_floors(pages, version.at, paging);
  }
  return is_newest;
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
