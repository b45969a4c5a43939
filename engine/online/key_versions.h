// The writers of a key: the place of a new one, and the writers that it conflicts with
// (NOCONFLICT).
#pragma once

#include "engine/online/key_observer.h"
#include "engine/online/key_page.h"
#include "engine/online/paged_timeline.h"

namespace elapid {

using KeyPages = PagedTimeline<KeyPage>;

/// The moment of the reads of a version's writer, if reads are at the start.
[[nodiscard]] constexpr Moment read_moment(const OnlineVersion& version) {
  return version.at.kind == Moment::kInstant ? version.at
                                             : Moment::of(version.start, Moment::kStart);
}

/// The place of a version to be added: before the version with this index in the page.
struct VersionPlace {
  KeyPage* page = nullptr;
  std::size_t index = 0;
};

/// O(log versions).
[[nodiscard]] VersionPlace find_place(KeyPages& pages, const OnlineVersion& version,
                                      Paging& paging);

/// The place of a version that was added.
struct AddedVersion {
  KeyPage* page = nullptr;
  bool is_newest = false;  ///< it is the last version in the timeline
};

/// Adds a version, after any predecessor. O(1), plus the pages up to the next version.
AddedVersion add_version(KeyPages& pages, VersionPlace place, const OnlineVersion& version,
                         Paging& paging);

/// Reports conflicts of a version to be added: with writers that committed after its
/// start, and with writers that started before its commit. Looks only at possible
/// conflicts.
void find_conflicts(KeyPages& pages, VersionPlace place, Atom key, const OnlineVersion& version,
                    Paging& paging, KeyObserver& observer);

}  // namespace elapid
