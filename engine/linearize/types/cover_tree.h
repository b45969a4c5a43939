// The number of intervals over each gap, with removals of intervals.
//
//   [0, 4) and [2, 6) cover gaps 0 to 5; without [0, 4) the first gap that is not covered is 0
//
// A segment tree without pushing sums down: a node has the count of what covers all of it, and the
// least count of its halves. O(log n) for each operation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace elapid::linearize {

class CoverTree {
 public:
  /// `counts`: the number of intervals over each gap.
  explicit CoverTree(const std::vector<std::int32_t>& counts) {
    while (leaves_ < counts.size()) {
      leaves_ *= 2;
    }
    least_.assign(2 * leaves_, 0);
    own_.assign(leaves_, 0);
    std::copy(counts.begin(), counts.end(), least_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_; node-- > 1;) {
      least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
    }
  }

  /// Removes an interval over the gaps from `begin` to before `end`.
  void take_away(std::uint32_t begin, std::uint32_t end) { take_away(1, 0, leaves_, {begin, end}); }

  /// The first gap from `begin` to before `end` that no interval covers, or `end`.
  [[nodiscard]] std::uint32_t first_free(std::uint32_t begin, std::uint32_t end) const {
    return first_free(1, 0, leaves_, {begin, end}, 0);
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  /// Node `node` covers the gaps from `from` to before `to`.
  void take_away(std::size_t node, std::size_t from, std::size_t to, Range range) {
    if (range.end <= from || to <= range.begin) {
      return;
    }
    if (range.begin <= from && to <= range.end) {
      --least_[node];
      if (node < leaves_) {
        --own_[node];
      }
      return;
    }
    const std::size_t middle = (from + to) / 2;
    take_away(2 * node, from, middle, range);
    take_away(2 * node + 1, middle, to, range);
    least_[node] = own_[node] + std::min(least_[2 * node], least_[2 * node + 1]);
  }

  /// `above`: the number of intervals on nodes above that cover all of the node.
  [[nodiscard]] std::uint32_t first_free(std::size_t node, std::size_t from, std::size_t to,
                                         Range range, std::int32_t above) const {
    const auto none = static_cast<std::uint32_t>(range.end);
    if (range.end <= from || to <= range.begin || above + least_[node] > 0) {
      return none;
    }
    if (node >= leaves_) {
      return static_cast<std::uint32_t>(from);
    }
    const std::size_t middle = (from + to) / 2;
    const std::int32_t inner = above + own_[node];
    const std::uint32_t left = first_free(2 * node, from, middle, range, inner);
    return left != none ? left : first_free(2 * node + 1, middle, to, range, inner);
  }

  std::size_t leaves_ = 1;
  std::vector<std::int32_t> least_;  // by node, without the nodes above it
  std::vector<std::int32_t> own_;    // by inner node: intervals over all of it
};

}  // namespace elapid::linearize
