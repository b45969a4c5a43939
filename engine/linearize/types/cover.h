// The gaps at which a container is surely not empty: some value is inside in every order.
//
//   enqueue 1 |--|                       between the return of enqueue 1 and the invocation of
//   dequeue 1          |---|             dequeue 1, value 1 is inside
//                 ^^^^^
//
// Gap g lies between the instants g and g + 1. O(values + instants).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/types/container.h"

namespace elapid::linearize {

class Cover {
 public:
  explicit Cover(const Stays& stays) : next_free_(stays.instants + 1) {
    std::vector<std::int32_t> change(stays.instants + 1);
    for (const Stay& stay : stays.stays) {
      if (stay.add_to < stay.remove_from) {
        ++change[stay.add_to];
        if (stay.remove_from != kNever) {
          --change[stay.remove_from];
        }
      }
    }
    std::int32_t inside = 0;
    for (std::uint32_t gap = 0; gap < stays.instants; ++gap) {
      inside += change[gap];
      next_free_[gap] = inside == 0 ? gap : kNever;
    }
    next_free_[stays.instants] = kNever;
    for (std::uint32_t gap = stays.instants; gap-- > 0;) {
      if (next_free_[gap] == kNever) {
        next_free_[gap] = next_free_[gap + 1];
      }
    }
  }

  /// The first gap of an interval in which no value is surely inside.
  [[nodiscard]] std::optional<std::uint32_t> first_free(const Remove& within) const {
    const std::uint32_t gap = next_free_[within.from];
    return gap < within.to ? std::optional(gap) : std::nullopt;
  }

 private:
  std::vector<std::uint32_t> next_free_;
};

/// A judgement: a remove found nothing, but the container was never empty, with a value inside at
/// its invocation. Requires such a value.
[[nodiscard]] inline Judgement not_empty(const Remove& remove, const Stays& stays) {
  for (const Stay& stay : stays.stays) {
    if (stay.add_to <= remove.from && remove.from < stay.remove_from) {
      return refuted(Pattern::kNotEmpty, {remove.place, stay.add});
    }
  }
  return refuted(Pattern::kNotEmpty, {remove.place});
}

}  // namespace elapid::linearize
