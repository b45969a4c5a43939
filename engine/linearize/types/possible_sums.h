// The sums that some of the added numbers can have.
//
//   3, 5      0, 3, 5, 8
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace elapid::linearize {

/// The sums of subsets of the added numbers, as far as they are small.
class PossibleSums {
 public:
  void add(std::int64_t number) {
    total_ += number;
    if (total_ > kMost) {
      return;
    }
    sums_.resize(static_cast<std::size_t>(total_) / 64 + 1);
    const auto words = static_cast<std::size_t>(number) / 64;
    const auto bits = static_cast<std::size_t>(number) % 64;
    for (std::size_t i = sums_.size(); i-- > words;) {
      std::uint64_t moved = sums_[i - words] << bits;
      if (bits > 0 && i > words) {
        moved |= sums_[i - words - 1] >> (64 - bits);
      }
      sums_[i] |= moved;
    }
  }

  [[nodiscard]] bool may_be_amount(std::int64_t sum) const { return sum >= 0 && sum <= total_; }

  /// False only if no numbers have this sum.
  [[nodiscard]] bool may_be(std::int64_t sum) const {
    const auto at = static_cast<std::size_t>(sum);
    return may_be_amount(sum) && (total_ > kMost || (sums_[at / 64] >> at % 64 & 1U) != 0);
  }

 private:
  static constexpr std::int64_t kMost = 1 << 20;

  std::int64_t total_ = 0;
  std::vector<std::uint64_t> sums_ = {1};
};

}  // namespace elapid::linearize
