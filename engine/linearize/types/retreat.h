// Where a search goes back to from a dead end, and how wide it looks from there on.
//
//   segment 0   segment 1   segment 2, a dead end      back to 1, then to 0, each time wider
//
// For searches from event to event that keep a few possibilities and may lose the right one. They
// widen where they have to, and are narrow again behind that. A segment is so many events. At its
// beginning the search leaves a checkpoint, from which it can go on again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace elapid::linearize {

struct RetreatLimits {
  std::size_t narrowest;           ///< how many possibilities are kept at first
  std::size_t widest;              ///< and at most
  std::size_t most_dead_ends = 9;  ///< in a segment
};

template <class Checkpoint>
class Retreat {
 public:
  explicit Retreat(const RetreatLimits& limits) : limits_(limits), width_(limits.narrowest) {}

  static bool begins_at(std::size_t event) { return event % kLength == 0; }

  /// The search is at the first event of a segment. Old checkpoints are given up.
  void begin(std::size_t event, Checkpoint checkpoint) {
    const std::size_t number = event / kLength;
    if (number == segments_.size()) {
      segments_.emplace_back();
    }
    segments_[number].checkpoint = std::move(checkpoint);
    if (number >= kMostKept) {
      segments_[number - kMostKept].checkpoint.reset();
    }
    if (number >= widened_to_) {
      width_ = limits_.narrowest;
      dead_ends_ = 0;
    }
  }

  /// The first event of the segment to go back to from a dead end at this event: each time an
  /// earlier one, and wider. Nothing if that may hardly help.
  [[nodiscard]] std::optional<std::size_t> go_back(std::size_t event) {
    const std::size_t number = event / kLength;
    dead_ends_ = ++segments_[number].dead_ends;
    if (dead_ends_ > limits_.most_dead_ends) {
      return std::nullopt;
    }
    widened_to_ = std::max(widened_to_, number + 2);
    const std::size_t wider = limits_.narrowest << (dead_ends_ < 5 ? 2 * dead_ends_ : 4);
    width_ = std::min(limits_.widest, std::max(width_, wider));
    const std::size_t back = dead_ends_ < 5 ? dead_ends_ : std::size_t{1} << (dead_ends_ - 2);
    const std::size_t to = number - std::min(number, back);
    return segments_[to].checkpoint ? std::optional(to * kLength) : std::nullopt;
  }

  /// That of the segment which go_back() named last.
  [[nodiscard]] const Checkpoint& checkpoint(std::size_t first_event) const {
    return *segments_[first_event / kLength].checkpoint;
  }

  [[nodiscard]] std::size_t width() const { return width_; }

  /// In the segment of the last dead end; 0 once the search is narrow again.
  [[nodiscard]] std::size_t dead_ends() const { return dead_ends_; }

 private:
  static constexpr std::size_t kLength = 32;
  static constexpr std::size_t kMostKept = 2048;

  struct Segment {
    std::optional<Checkpoint> checkpoint;
    std::size_t dead_ends = 0;
  };

  RetreatLimits limits_;
  std::vector<Segment> segments_;
  std::size_t widened_to_ = 0;  // the segment with which it becomes narrow again
  std::size_t width_;
  std::size_t dead_ends_ = 0;
};

}  // namespace elapid::linearize
