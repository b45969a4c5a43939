// The greatest number in a range, with updates.
//
//   {3, 9, 4}: the greatest of places 0 to 3 is 9 at 1; after set(1, 0) it is 4 at 2
//
// A segment tree, bottom up; O(log n) each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace elapid::linearize {

class MaxTree {
 public:
  struct Greatest {
    std::uint32_t value = 0;
    std::uint32_t place = 0;
  };

  /// All numbers are 0.
  explicit MaxTree(std::size_t size) : size_(size), nodes_(2 * size) {}

  void set(std::uint32_t place, std::uint32_t value) {
    std::size_t node = size_ + place;
    nodes_[node] = std::uint64_t{value} << 32 | place;
    for (node /= 2; node > 0; node /= 2) {
      nodes_[node] = std::max(nodes_[2 * node], nodes_[2 * node + 1]);
    }
  }

  /// The range from `begin` to before `end`.
  [[nodiscard]] Greatest greatest(std::size_t begin, std::size_t end) const {
    std::uint64_t best = 0;
    std::size_t left = size_ + begin;
    std::size_t right = size_ + end;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) {
        best = std::max(best, nodes_[left++]);
      }
      if (right % 2 == 1) {
        best = std::max(best, nodes_[--right]);
      }
    }
    return {static_cast<std::uint32_t>(best >> 32), static_cast<std::uint32_t>(best)};
  }

 private:
  std::size_t size_;
  std::vector<std::uint64_t> nodes_;  // a value and its place
};

}  // namespace elapid::linearize
