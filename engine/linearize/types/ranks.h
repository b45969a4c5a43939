// The ranks of values by size, as small numbers.
//
//   values 70, -3, 5000000000    ranks 1, 0, 2
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/ir/value_pool.h"

namespace elapid::linearize {

class Ranks {
 public:
  /// Ranks integers; other values are left out. O(n log n).
  Ranks(std::vector<ValueId> values, const ValuePool& pool) {
    std::vector<std::int64_t> numbers;
    for (const ValueId value : values) {
      if (pool.as_integer(value).has_value()) {
        numbers.push_back(*pool.as_integer(value));
      }
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const ValueId value : values) {
      if (pool.as_integer(value).has_value()) {
        const auto place =
            std::lower_bound(numbers.begin(), numbers.end(), *pool.as_integer(value));
        ranks_.find_or_add(value.bits(), static_cast<std::uint32_t>(place - numbers.begin()));
      }
    }
  }

  /// The rank of a value; kAbsent if it is no integer among the given values.
  [[nodiscard]] std::uint32_t of(ValueId value) const { return ranks_.find(value.bits()); }

  static constexpr std::uint32_t kAbsent = IntMap::kAbsent;

 private:
  IntMap ranks_;
};

}  // namespace elapid::linearize
