// The timeline of one key or session, in pages. Only some pages are in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/online/moment.h"
#include "engine/online/page_store.h"

namespace elapid {

/// The shared data of timelines.
struct Paging {
  PageStore& store;
  std::size_t most_entries = 256;  ///< entries of a page, about
  std::size_t memory = 0;          ///< bytes of all pages in memory
};

/// A timeline from the first moment to the last, divided into pages. Each page holds the entries
/// from its `begin` to the `begin` of the next page. All pages from some moment on are in memory;
/// of the earlier ones, those requested since the last eviction. A page never changes its begin, so
/// a newer copy replaces the copy in the store.
///
/// Page has: `begin`, `is_dirty`, size() in entries, memory() in bytes, cut(is_last) (the moment at
/// which it can be split, if any), split(moment) (removes and returns the entries from there on),
/// encode() and decode(begin, bytes).
///
/// Finding a page in memory is O(log pages). Pointers to pages are valid until add_entry(),
/// cut_at() or evict_before().
template <class Page>
class PagedTimeline {
 public:
  /// `is_stored`: the store may have pages of the owner.
  PagedTimeline(PageOwner owner, bool is_stored, Paging& paging) : owner_(owner) {
    if (is_stored) {
      if (const auto stored = paging.store.last_up_to(owner_, Moment::last())) {
        resident_from_ = stored->begin;
        insert(pages_.begin(), Page::decode(stored->begin, stored->bytes), paging);
        return;
      }
    }
    insert(pages_.begin(), Page(), paging);
  }

  /// The page of a moment.
  Page& at(Moment moment, Paging& paging) {
    auto after = behind(moment);
    if (moment < resident_from_) {
      const auto stored = paging.store.last_up_to(owner_, moment);
      if (stored && (after == pages_.begin() || std::prev(after)->begin < stored->begin)) {
        return *insert(after, Page::decode(stored->begin, stored->bytes), paging);
      }
      if (after == pages_.begin()) {  // true only if the store failed
        return *insert(after, Page(), paging);
      }
    }
    return *std::prev(after)->page;
  }

  /// The page of a moment, or null if it is not in memory.
  const Page* peek(Moment moment) {
    const auto after = behind(moment);
    return after == pages_.begin() ? nullptr : std::prev(after)->page.get();
  }

  [[nodiscard]] bool is_last(const Page& page) const { return &page == pages_.back().page.get(); }

  /// The page after this one, or null.
  Page* next(const Page& page, Paging& paging) {
    const auto after = behind(page.begin);
    if (page.begin < resident_from_) {
      const auto stored = paging.store.first_after(owner_, page.begin);
      if (stored && (after == pages_.end() || stored->begin < after->begin)) {
        return insert(after, Page::decode(stored->begin, stored->bytes), paging);
      }
    }
    return after == pages_.end() ? nullptr : after->page.get();
  }

  /// The page before this one, or null.
  Page* previous(const Page& page, Paging& paging) {
    return page.begin == Moment::first() ? nullptr : &at(just_before(page.begin), paging);
  }

  /// Lets `add` put an entry into the page of a moment; then splits the page if it is full. Whether
  /// it split.
  template <class Add>
  bool add_entry(Page& page, Paging& paging, Add add) {
    const std::size_t before = page.memory();
    add(page);
    page.is_dirty = true;
    paging.memory += page.memory() - before;
    if (page.size() > paging.most_entries) {
      if (const std::optional<Moment> cut = page.cut(is_last(page))) {
        split(page, *cut, paging);
        return true;
      }
    }
    return false;
  }

  /// Splits the last page, if both parts have entries.
  void cut_at(Timestamp time, Paging& paging) {
    Page& page = *pages_.back().page;
    const Moment cut = Moment::of(time, Moment::kCommit);
    if (page.begin < cut && page.has_entries_before(cut)) {
      split(page, cut, paging);
    }
  }

  /// Moves pages that end by `time` to the store; the last page stays. Whether any page moved.
  bool evict_before(Timestamp time, Paging& paging) {
    std::size_t count = 0;
    while (count + 1 < pages_.size() && pages_[count + 1].begin.time() <= time) {
      move(pages_[count], paging);
      ++count;
    }
    if (count > 0) {
      pages_.erase(pages_.begin(), pages_.begin() + static_cast<std::ptrdiff_t>(count));
      resident_from_ = std::max(resident_from_, pages_.front().begin);
    }
    return count > 0;
  }

  /// Moves all pages to the store. After that, only the destructor may be called.
  void drop(Paging& paging) {
    for (Entry& entry : pages_) {
      move(entry, paging);
    }
    pages_.clear();
  }

  /// Writes all pages to the store.
  void flush(Paging& paging) {
    for (const Entry& entry : pages_) {
      save(*entry.page, paging);
    }
  }

 private:
  /// A page with its begin, so that a search need not touch the page.
  struct Entry {
    Moment begin = {};
    std::unique_ptr<Page> page = {};
  };

  using Pages = std::vector<Entry>;

  /// The place of the first page in memory that begins after a moment: usually near the end.
  typename Pages::iterator behind(Moment moment) {
    constexpr std::size_t kNear = 4;
    for (std::size_t i = 0; i < std::min(kNear, pages_.size()); ++i) {
      if (pages_[pages_.size() - 1 - i].begin <= moment) {
        return pages_.end() - static_cast<std::ptrdiff_t>(i);
      }
    }
    return std::ranges::upper_bound(pages_, moment, {}, &Entry::begin);
  }

  Page* insert(typename Pages::iterator place, Page page, Paging& paging) {
    paging.memory += page.memory();
    const Moment begin = page.begin;
    return pages_.insert(place, {begin, std::make_unique<Page>(std::move(page))})->page.get();
  }

  void split(Page& page, Moment cut, Paging& paging) {
    const std::size_t before = page.memory();
    Page rest = page.split(cut);
    page.is_dirty = true;
    rest.is_dirty = true;
    paging.memory += page.memory() - before;
    insert(std::ranges::upper_bound(pages_, cut, {}, &Entry::begin), std::move(rest), paging);
  }

  void move(Entry& entry, Paging& paging) {
    paging.memory -= entry.page->memory();
    if (entry.page->is_dirty) {
      const std::shared_ptr<const Page> page = std::move(entry.page);
      paging.store.move(owner_, entry.begin, [page] { return page->encode(); });
    }
  }

  void save(Page& page, Paging& paging) {
    if (page.is_dirty) {
      paging.store.move(owner_, page.begin,
                        [bytes = page.encode()]() mutable { return std::move(bytes); });
      page.is_dirty = false;
    }
  }

  PageOwner owner_;
  Moment resident_from_ = Moment::first();  // pages that begin at or after it are in memory
  Pages pages_;                             // by begin, never empty
};

}  // namespace elapid
