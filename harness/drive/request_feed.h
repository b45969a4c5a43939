// The requests of a run, and their distribution to the sessions.
//
// One source makes the requests, in one order, which depends only on the seed. A session takes the
// next request whenever it is free. So concurrent transactions are neighbours in the order, and
// meet on the same keys, as in Jepsen. A session that finds no request makes a few dozen. The
// requests are taken from a ring without a lock.
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

/// The limits after which no more requests are made; 0: no limit.
struct FeedLimits {
  std::uint64_t transactions = 0;
  std::uint64_t operations = 0;
};

/// Safe from any thread.
class RequestFeed {
 public:
  /// If there are `shares`, requests ask for several levels, each in proportion to its share; no
  /// share is 0. Apart from the levels, the requests are the same.
  RequestFeed(std::unique_ptr<RequestSource> source, std::uint64_t seed, const FeedLimits& limits,
              std::vector<std::size_t> shares = {});

  /// Puts the next request in the place of a request that is done, or empty. False if there is
  /// none; then `request` is unchanged.
  bool next(Request& request);

  /// RequestSource::after_read(), for one session at a time.
  std::string_view after_read(Request& request, std::size_t step, Seen seen);

  // Call from one thread only, before the sessions start or after they end.

  [[nodiscard]] std::vector<RequestStep> initial_writes() const {
    return source_->initial_writes();
  }

  /// RequestSource::final_read(), into an empty request.
  bool final_read(std::size_t n, Request& request) {
    request.clear();
    return source_->final_read(n, request);
  }

 private:
  static constexpr std::uint64_t kPlaces = 256;  // of the ring
  static constexpr std::uint64_t kAhead = 64;    // the most that are made before a session asks

  /// In round r, a place is ready to be filled at turn 2r, and ready to be emptied at turn 2r + 1.
  struct alignas(64) Place {
    std::atomic<std::uint64_t> turn = 0;
    Request request = {};  // when it is ready to be filled: a request that is done, or an empty one
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
  std::uint64_t made_ = 0;        // guarded by the mutex
  std::uint64_t operations_ = 0;  // guarded by the mutex
  alignas(64) std::atomic<std::uint64_t> taken_ = 0;
  alignas(64) std::atomic<std::uint64_t> end_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace elapid
