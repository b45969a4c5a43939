// Draws one of several items, each with its own probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/generate/random.h"

namespace elapid {

/// A law of frequencies, for any number of items.
struct Law {
  enum class Kind : std::uint8_t {
    kUniform,      ///< all equally often
    kZipf,         ///< the i-th as often as i to the power of -exponent
    kHotspot,      ///< a few items get a large share
    kExponential,  ///< each half as often as its predecessor, Jepsen's default
  };
  Kind kind = Kind::kUniform;
  std::uint32_t exponent_thousandths = 990;
  std::uint32_t hot_percent = 10;    ///< share of the items
  std::uint32_t share_percent = 90;  ///< share of the draws

  friend bool operator==(const Law&, const Law&) = default;
};

/// Draws 0 to count - 1, small ones most often. All platforms draw the same.
class Distribution {
 public:
  /// Requires count > 0. A Zipf law uses 8 bytes an item.
  Distribution(const Law& law, std::size_t count);

  [[nodiscard]] std::size_t count() const { return count_; }

  std::size_t draw(Random& random) const;

 private:
  [[nodiscard]] std::size_t draw_hot(Random& random) const;
  [[nodiscard]] std::size_t draw_exponential(Random& random) const;

  Law law_;
  std::size_t count_;
  std::size_t hot_ = 0;
  std::vector<std::uint64_t> ends_ = {};  // for a Zipf law: sums of weights
};

// Powers of whole numbers in integer arithmetic. Floating-point libraries differ in their last
// digits, but the same seed must draw the same numbers on all machines.

/// n to the power of -exponent / 1000, times 2^32, to about seven digits; at least 1. Requires n >
/// 0 and an exponent up to 10,000.
[[nodiscard]] std::uint64_t inverse_power(std::uint64_t n, std::uint32_t exponent_thousandths);

}  // namespace elapid
