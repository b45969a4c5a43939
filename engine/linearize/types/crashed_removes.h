// Removes that never returned may have taken values that otherwise stay.
//
//   enqueue 1, dequeue ? never returned, dequeue :empty    the open dequeue took 1
//
// Some values must be taken by such a remove before a deadline. Removes in order of invocation are
// assigned to values in order of deadline. If any assignment meets all deadlines, this one does, by
// an exchange argument. O(n log n).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/types/container.h"

namespace elapid::linearize {

class CrashedRemoves {
 public:
  /// Requires at least one such remove.
  explicit CrashedRemoves(const Stays& stays) : stays_(stays) {}

  /// Removes each staying value at the earliest such remove: more than is really possible.
  [[nodiscard]] Stays unlimited() const;

  /// For each remove that found nothing: a gap (cover.h) in which no value is inside that another
  /// remove took, and no more other values than these removes may have taken. The first such gap or
  /// the last; kNever if there is none.
  [[nodiscard]] std::vector<std::uint32_t> gaps(bool is_last) const;

  /// Lets each of these removes take one value, so that each staying value with a deadline other
  /// than kNever is taken by a remove invoked before the deadline. Deadlines are by place in the
  /// stays; those of otherwise removed values are ignored. Nothing if the removes are too few.
  [[nodiscard]] std::optional<Stays> given(const std::vector<std::uint32_t>& deadlines) const;

  /// The deadlines by which all surely added values are removed before each of the sorted gaps.
  [[nodiscard]] std::vector<std::uint32_t> deadlines_by(
      const std::vector<std::uint32_t>& gaps) const;

 private:
  [[nodiscard]] std::vector<bool> free_gaps() const;

  const Stays& stays_;
};

}  // namespace elapid::linearize
