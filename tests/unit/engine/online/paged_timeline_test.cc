#include "engine/online/paged_timeline.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "tests/support/memory_page_store.h"
#include "tests/unit/engine/online/timeline_walk.h"

namespace elapid {
namespace {

TEST_CASE("a timeline is the same whatever part of it is in memory") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    MemoryPageStore store;
    TimelineWalk(store, seed).run(150);
  }
}

TEST_CASE("timelines of one store do not see one another") {
  MemoryPageStore store;
  Paging paging{.store = store, .most_entries = 1};
  const Atom name = AtomTable().integer(1);
  KeyPages one({PageOwner::Kind::kKey, name}, false, paging);
  for (std::int64_t time = 1; time < 10; ++time) {
    const OnlineVersion version = {
        .at = Moment::of({time, 0}, Moment::kCommit), .start = {}, .writer = name};
    (void)add_version(one, find_place(one, version, paging), version, paging);
  }
  one.evict_before(Timestamp::last(), paging);
  for (const PageOwner other : {PageOwner{PageOwner::Kind::kSession, name},
                                PageOwner{PageOwner::Kind::kKey, AtomTable().integer(2)}}) {
    KeyPages pages(other, true, paging);
    CHECK(pages.at(Moment::first(), paging).size() == 0);
    CHECK(pages.next(pages.at(Moment::first(), paging), paging) == nullptr);
  }
}

}  // namespace
}  // namespace elapid
