// Random operations on a timeline of pages, compared with a plain list of what is in it.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "engine/online/key_versions.h"
#include "harness/generate/random.h"

namespace elapid {

/// Adds versions anywhere, and moves pages to the store whenever it likes.
class TimelineWalk {
 public:
  TimelineWalk(PageStore& store, std::uint64_t seed)
      : random_(seed), paging_{.store = store, .most_entries = 1 + random_.below(6)} {
    open(false);
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      add();
      move();
      CHECK(agrees_at(time()));
    }
    check_order();
    pages_->flush(paging_);
    open(true);
    check_order();
  }

 private:
  using Place = std::pair<Moment, Atom>;

  static Atom atom(std::int64_t number) { return AtomTable().integer(number); }

  void open(bool is_stored) {
    pages_.reset();
    paging_.memory = 0;
    pages_ = std::make_unique<KeyPages>(PageOwner{.kind = PageOwner::Kind::kKey, .name = atom(-3)},
                                        is_stored, paging_);
  }

  Timestamp time() { return {static_cast<std::int64_t>(random_.below(60)) - 30, 0}; }

  void add() {
    const std::int64_t writer = ++count_;
    const Timestamp at = time();
    const OnlineVersion version = {.at = Moment::of(at, Moment::kCommit),
                                   .start = {at.physical - 2, 0},
                                   .writer = atom(writer),
                                   .value = atom(writer)};
    const bool is_behind_all = expected_.empty() || expected_.rbegin()->first.first < version.at;
    const AddedVersion added =
        add_version(*pages_, find_place(*pages_, version, paging_), version, paging_);
    CHECK(added.page == &pages_->at(version.at, paging_));
    // No read looks at a page that was cut after all.
    CHECK((is_behind_all || !added.is_newest));
    expected_[{version.at, version.writer}] = version.value;
  }

  void move() {
    if (random_.percent(20)) {
      pages_->cut_at(time(), paging_);
    }
    if (random_.percent(30)) {
      pages_->evict_before(time(), paging_);
    }
    if (random_.percent(5)) {
      pages_->evict_before(Timestamp::last(), paging_);
      CHECK(paging_.memory == pages_->at(Moment::last(), paging_).memory());
    }
    if (random_.percent(5)) {
      pages_->flush(paging_);
      open(true);
    }
  }

  /// What is current at a time, whichever page that is in, and whether it is tied.
  bool agrees_at(Timestamp at) {
    const Moment moment = Moment::of(at, Moment::kStart);
    const KeyPage::Current found = pages_->at(moment, paging_).current(moment);
    const auto after = expected_.lower_bound({moment, Atom::from_bits(0)});
    if (after == expected_.begin()) {
      return found.version == nullptr;
    }
    const auto last = std::prev(after);
    const bool is_tied =
        last != expected_.begin() && std::prev(last)->first.first == last->first.first;
    return found.version != nullptr && found.version->at == last->first.first &&
           found.version->value == last->second && found.is_tied == is_tied;
  }

  void check_order() {
    auto next = expected_.begin();
    for (KeyPage* page = &pages_->at(Moment::first(), paging_); page != nullptr;
         page = pages_->next(*page, paging_)) {
      for (const OnlineVersion& version : page->versions) {
        REQUIRE(next != expected_.end());
        CHECK(Place(version.at, version.writer) == next->first);
        CHECK(version.at >= page->begin);
        CHECK(version.duration() <= page->longest);
        ++next;
      }
    }
    CHECK(next == expected_.end());
    std::size_t count = 0;
    for (KeyPage* page = &pages_->at(Moment::last(), paging_); page != nullptr;
         page = pages_->previous(*page, paging_)) {
      count += page->versions.size();
    }
    CHECK(count == expected_.size());
  }

  Random random_;
  Paging paging_;
  std::unique_ptr<KeyPages> pages_;
  std::map<Place, Atom> expected_;
  std::int64_t count_ = 0;
};

}  // namespace elapid
