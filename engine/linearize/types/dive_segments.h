// Where a quick search (multi_register_dive.h) goes back to from a dead end, and how wide it looks
// from there on.
//
//   segment 0   segment 1   segment 2, a dead end      back to 1, then to 0, each time wider
//
// Each segment is so many events. The beam is the number of possibilities that are kept. Their
// price is what one that never returns costs, compared with a read that is not served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/types/configurations.h"
#include "engine/linearize/types/dive_slots.h"

namespace elapid::linearize {

class DiveSegments {
 public:
  /// What the search knew at the beginning of a segment.
  struct Beginning {
    Configurations now;
    DiveSlots::Places slots;
    std::size_t steps = 0;
  };

  static bool begins_at(std::size_t event) { return event % kLength == 0; }

  static std::size_t first_event(std::size_t segment) { return segment * kLength; }

  /// The search is at the first event of a segment. Behind the segments of the last dead end the
  /// beam is narrow again.
  void begin(std::size_t event, Beginning beginning);

  /// The segment to go back to from a dead end at this event: each time further, with a wider beam
  /// and another price. Nothing if that may hardly help.
  [[nodiscard]] std::optional<std::size_t> go_back(std::size_t event);

  [[nodiscard]] const Beginning& beginning(std::size_t segment) const {
    return segments_[segment].beginning;
  }

  [[nodiscard]] std::size_t beam() const { return beam_; }

  [[nodiscard]] std::uint64_t price() const { return price_; }

 private:
  static constexpr std::size_t kLength = 32;
  static constexpr std::size_t kNarrowest = 32;

  struct Segment {
    Beginning beginning;
    std::size_t dead_ends = 0;
  };

  std::vector<Segment> segments_;
  std::size_t widened_to_ = 0;  // the segment with which the beam becomes narrow again
  std::size_t beam_ = kNarrowest;
  std::uint64_t price_ = 0;
};

}  // namespace elapid::linearize
