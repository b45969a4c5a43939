// Numbers for values, mostly by their first appearance.
//
//   1, 2, 3, 900, :a     small integers have a place each in an array, the others one in a table
//
// Histories mostly write integers one after another. An array finds their numbers without a hash,
// and needs a part of the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/int_map.h"

namespace elapid {

class ValueNumbers {
 public:
  static constexpr std::uint32_t kAbsent = IntMap::kAbsent;

  /// The number of the value, or kAbsent. O(1).
  [[nodiscard]] std::uint32_t find(ValueId value) const {
    const std::size_t place = place_of(value);
    if (place < small_.size() && small_[place] != kAbsent) {
      return small_[place];
    }
    return others_.size() == 0 ? kAbsent : others_.find(value.bits());
  }

  /// The number of the value. A value without a number gets `fresh`, which must not be kAbsent.
  /// O(1) on average.
  std::uint32_t find_or_add(ValueId value, std::uint32_t fresh) {
    const std::uint32_t known = find(value);
    if (known != kAbsent) {
      return known;
    }
    const std::size_t place = place_of(value);
    const std::size_t limit = 2 * (count_++ + kFirst);
    if (place >= limit && place >= small_.size()) {
      return others_.find_or_add(value.bits(), fresh);
    }
    if (place >= small_.size()) {
      small_.resize(limit, kAbsent);
    }
    return small_[place] = fresh;
  }

 private:
  static constexpr std::size_t kFirst = 32;

  /// In the array, if that is so long.
  static std::size_t place_of(ValueId value) {
    return value.is_integer() && value.as_integer() >= 0
               ? static_cast<std::size_t>(value.as_integer())
               : std::numeric_limits<std::size_t>::max();
  }

  std::vector<std::uint32_t> small_;
  IntMap others_;
  std::size_t count_ = 0;
};

}  // namespace elapid
