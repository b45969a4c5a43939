#include "harness/drive/request_feed.h"

#include <numeric>
#include <thread>
#include <utility>

namespace elapid {

RequestFeed::RequestFeed(std::unique_ptr<RequestSource> source, std::uint64_t seed,
                         const FeedLimits& limits, std::vector<std::size_t> shares)
    : source_(std::move(source)),
      random_(seed),
      level_random_(seed + 1),
      limits_(limits),
      shares_(std::move(shares)) {}

std::uint8_t RequestFeed::draw_level() {
  if (shares_.empty()) {
    return 0;
  }
  std::size_t draw =
      level_random_.below(std::accumulate(shares_.begin(), shares_.end(), std::size_t{0}));
  std::uint8_t level = 0;
  for (; draw >= shares_[level]; ++level) {
    draw -= shares_[level];
  }
  return level;
}

bool RequestFeed::next(Request& request) {
  if (taken_.load(std::memory_order_relaxed) >= end_.load(std::memory_order_acquire)) {
    return false;
  }
  const std::uint64_t n = taken_.fetch_add(1, std::memory_order_relaxed);
  Place& place = places_[n % kPlaces];
  while (place.turn.load(std::memory_order_acquire) != turn_to_fill(n) + 1) {
    if (n >= end_.load(std::memory_order_acquire)) {
      return false;
    }
    make_some();
  }
  std::swap(place.request, request);
  place.turn.store(turn_to_fill(n + kPlaces), std::memory_order_release);
  return true;
}

/// Fills places some way ahead of the taken ones. A place first releases the keys of its finished
/// request.
void RequestFeed::make_some() {
  const std::unique_lock lock(source_mutex_);
  while (made_ < taken_.load(std::memory_order_relaxed) + kAhead &&
         made_ < end_.load(std::memory_order_relaxed)) {
    const bool is_enough = (limits_.transactions > 0 && made_ >= limits_.transactions) ||
                           (limits_.operations > 0 && operations_ >= limits_.operations);
    if (is_enough) {
      end_.store(made_, std::memory_order_release);
      return;
    }
    Place& place = places_[made_ % kPlaces];
    if (place.turn.load(std::memory_order_acquire) != turn_to_fill(made_)) {
      // The session has not moved the taken request out of the place yet.
      std::this_thread::yield();
      return;
    }
    source_->done(place.request);
    place.request.clear();
    source_->next(random_, place.request);
    place.request.level = draw_level();
    operations_ += place.request.completed == PlainValue::kMops ? place.request.steps.size() : 1;
    place.turn.store(turn_to_fill(made_) + 1, std::memory_order_release);
    ++made_;
  }
}

std::string_view RequestFeed::after_read(Request& request, std::size_t step, Seen seen) {
  const std::unique_lock lock(source_mutex_);
  return source_->after_read(request, step, seen);
}

}  // namespace elapid
