// The requests of a run, handed to the sessions that carry them out.
//
// One source makes them, in one order, which the seed alone decides; sessions take the next one
// whenever they are free, so that transactions that run at a time are neighbours in that order and
// meet on the same keys, as in Jepsen. Requests are made a few dozens at a time by the session that
// finds none, and taken from a ring without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "harness/generate/random.h"
#include "harness/generate/request.h"

namespace elapid {

/// After how many nothing more is made; 0: no limit.
struct FeedLimits {
  std::uint64_t transactions = 0;
  std::uint64_t operations = 0;
};

/// Safe from any thread.
class RequestFeed {
 public:
  /// With `shares` requests ask for several levels, each as often as its share of the sum is; none
  /// is 0. The requests are otherwise the same.
  RequestFeed(std::unique_ptr<RequestSource> source, std::uint64_t seed, const FeedLimits& limits,
              std::vector<std::size_t> shares = {});

  /// Puts the next request in the place of one that is done, or of an empty one. False if there is
  /// none; then `request` is as it was.
  bool next(Request& request);

  /// RequestSource::after_read(), one session at a time.
  std::string_view after_read(Request& request, std::size_t step, Seen seen);

  // For one thread, before there are sessions and after they have ended.

  [[nodiscard]] std::vector<RequestStep> initial_writes() const {
    return source_->initial_writes();
  }

  /// RequestSource::final_read(), of an empty request.
  bool final_read(std::size_t n, Request& request) {
    request.clear();
    return source_->final_read(n, request);
  }

 private:
  static constexpr std::uint64_t kPlaces = 256;  // of the ring
  static constexpr std::uint64_t kAhead = 64;    // made at most before a session asks

  /// In its r-th round a place is to be filled at turn 2r, and to be emptied at turn 2r + 1.
  struct alignas(64) Place {
    std::atomic<std::uint64_t> turn = 0;
    Request request = {};  // when it is to be filled: one that is done, or an empty one
  };

  static std::uint64_t turn_to_fill(std::uint64_t n) { return 2 * (n / kPlaces); }

  void make_some();
  std::uint8_t draw_level();

  std::unique_ptr<RequestSource> source_;
  Random random_;
  Random level_random_;
  FeedLimits limits_;
  std::vector<std::size_t> shares_;
  std::array<Place, kPlaces> places_ = {};
  std::mutex source_mutex_ = {};
  std::uint64_t made_ = 0;        // behind the mutex
  std::uint64_t operations_ = 0;  // likewise
  alignas(64) std::atomic<std::uint64_t> taken_ = 0;
  alignas(64) std::atomic<std::uint64_t> end_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace elapid
