// Operations of equal effect: those with the same function, argument and result.
//
//   add 1, add 2, add 1    classes 0, 1, 0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/operation.h"

namespace elapid::linearize {

struct EffectClasses {
  std::vector<std::uint32_t> of;       ///< the class of each operation
  std::vector<std::uint32_t> example;  ///< the first operation of each class
};

/// O(operations).
[[nodiscard]] inline EffectClasses effect_classes(const Operations& operations) {
  EffectClasses classes;
  IntMap values;
  IntMap numbers;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    const std::uint64_t pair = std::uint64_t{op.argument.bits()} << 32 | op.result.bits();
    const std::uint32_t both = values.find_or_add(static_cast<std::int64_t>(pair), place);
    const auto fresh = static_cast<std::uint32_t>(classes.example.size());
    const std::uint32_t number =
        numbers.find_or_add(std::int64_t{both} << 8 | std::int64_t{op.f}, fresh);
    if (number == fresh) {
      classes.example.push_back(place);
    }
    classes.of.push_back(number);
  }
  return classes;
}

}  // namespace elapid::linearize
