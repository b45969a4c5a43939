// The most that a search may cost before it gives up.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace elapid {

/// A limit of edge visits; optionally also of wall-clock time, and a way to interrupt. With visits
/// alone it is deterministic.
class SearchBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SearchBudget(std::uint64_t visits, std::optional<Clock::time_point> deadline = {},
                        std::function<bool()> keep_going = {})
      : visits_(visits), deadline_(deadline), keep_going_(std::move(keep_going)) {}

  /// Takes `visits`. False if too few are left; then none is left from here on.
  bool spend(std::uint64_t visits) {
    // NOLINTNEXTLINE(bugprone-assignment-in-if-condition): missing visits are not counted
    if (visits > visits_ || (polls_ += visits) >= kVisitsBetweenPolls) {
      return spend_slowly(visits);
    }
    visits_ -= visits;
    return true;
  }

  [[nodiscard]] bool exhausted() const { return visits_ == 0; }

  /// Moves up to `visits` into a separate budget.
  SearchBudget split_off(std::uint64_t visits) {
    const std::uint64_t taken = std::min(visits, visits_);
    visits_ -= taken;
    return SearchBudget(taken, deadline_, keep_going_);
  }

  /// Takes back the unspent visits of `part`.
  void rejoin(const SearchBudget& part) { visits_ += part.visits_; }

 private:
  static constexpr std::uint64_t kVisitsBetweenPolls = 1 << 16;

  bool spend_slowly(std::uint64_t visits) {
    polls_ = 0;
    const bool late = deadline_ && Clock::now() >= *deadline_;
    if (visits > visits_ || late || (keep_going_ && !keep_going_())) {
      visits_ = 0;
      return false;
    }
    visits_ -= visits;
    return true;
  }

  std::uint64_t visits_;
  std::uint64_t polls_ = 0;
  std::optional<Clock::time_point> deadline_;
  std::function<bool()> keep_going_;
};

}  // namespace elapid
