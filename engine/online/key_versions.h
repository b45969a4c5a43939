// The writers of a key: the place of a new one, and the writers that it is in conflict with
// (NOCONFLICT).
#pragma once

#include "engine/online/key_observer.h"
#include "engine/online/key_page.h"
#include "engine/online/paged_timeline.h"

namespace elapid {

using KeyPages = PagedTimeline<KeyPage>;

/// When the writer of a version read, where it read at its start.
[[nodiscard]] constexpr Moment read_moment(const OnlineVersion& version) {
  return version.at.kind == Moment::kInstant ? version.at
                                             : Moment::of(version.start, Moment::kStart);
}

/// Where a version belongs that is about to be added: before the one of that index in the page.
struct VersionPlace {
  KeyPage* page = nullptr;
  std::size_t index = 0;
};

/// O(log versions).
[[nodiscard]] VersionPlace find_place(KeyPages& pages, const OnlineVersion& version,
                                      Paging& paging);

/// Where a version is.
struct AddedVersion {
  KeyPage* page = nullptr;
  bool is_newest = false;  ///< nothing in the timeline comes behind it
};

/// Adds a version, whatever came before it. O(1), and the pages up to the next version.
AddedVersion add_version(KeyPages& pages, VersionPlace place, const OnlineVersion& version,
                         Paging& paging);

/// Tells of conflicts of a version that is about to be added: with writers that committed after it
/// started, and with those that started before it committed. A look at those that it might be in
/// conflict with.
void find_conflicts(KeyPages& pages, VersionPlace place, Atom key, const OnlineVersion& version,
                    Paging& paging, KeyObserver& observer);

}  // namespace elapid
