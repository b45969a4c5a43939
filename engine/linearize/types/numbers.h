// Lists of numbers as keys of hash tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/ir/seeded_hash.h"

namespace elapid::linearize {

using Numbers = std::vector<std::uint32_t>;

struct NumbersHash {
  std::size_t operator()(const Numbers& numbers) const {
    return seeded_hash(std::string_view(reinterpret_cast<const char*>(numbers.data()),
                                        numbers.size() * sizeof(std::uint32_t)));
  }
};

}  // namespace elapid::linearize
