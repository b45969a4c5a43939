// Removes that never returned may have taken values that stay otherwise.
//
//   enqueue 1, dequeue ? never returned, dequeue :empty    the dequeue that is open took 1
//
// A value needs such a remove before a deadline. Removes in the order of invocations are given to
// values in the order of deadlines: if any assignment meets all deadlines, this one does, by
// exchange. O(n log n).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/types/container.h"

namespace elapid::linearize {

class CrashedRemoves {
 public:
  /// Requires that there is one.
  explicit CrashedRemoves(const Stays& stays) : stays_(stays) {}

  /// Each value that stays is removed as early as any of these may: more than is possible.
  [[nodiscard]] Stays unlimited() const;

  /// For each remove that found nothing a gap (cover.h) in which nothing is inside that others
  /// removed, and not more else than these may have taken: the first one or the last; kNever if
  /// there is none.
  [[nodiscard]] std::vector<std::uint32_t> gaps(bool is_last) const;

  /// Each of these takes one value, so that each value that stays is removed by one that was
  /// invoked before its deadline, unless that is kNever. Deadlines are by places in the stays,
  /// those of values that others remove are ignored. None if these are too few.
  [[nodiscard]] std::optional<Stays> given(const std::vector<std::uint32_t>& deadlines) const;

  /// Before each of the gaps, which are sorted, all that were surely added are removed.
  [[nodiscard]] std::vector<std::uint32_t> deadlines_by(
      const std::vector<std::uint32_t>& gaps) const;

 private:
  [[nodiscard]] std::vector<bool> free_gaps() const;

  const Stays& stays_;
};

}  // namespace elapid::linearize
