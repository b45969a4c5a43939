#include "harness/generate/distribution.h"

#include <algorithm>
#include <array>
#include <bit>

namespace elapid {

Distribution::Distribution(const Law& law, std::size_t count) : law_(law), count_(count) {
  if (law.kind == Law::Kind::kHotspot) {
    hot_ = std::clamp<std::size_t>(count * law.hot_percent / 100, 1, count);
  }
  if (law.kind == Law::Kind::kZipf) {
    ends_.reserve(count);
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i <= count; ++i) {
      sum += inverse_power(i, law.exponent_thousandths);
      ends_.push_back(sum);
    }
  }
}

std::size_t Distribution::draw(Random& random) const {
  switch (law_.kind) {
    case Law::Kind::kUniform:
      break;
    case Law::Kind::kZipf: {
      const std::uint64_t at = random.below(ends_.back());
      return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), at) -
                                      ends_.begin());
    }
    case Law::Kind::kHotspot:
      return draw_hot(random);
    case Law::Kind::kExponential:
      return draw_exponential(random);
  }
  return random.below(count_);
}

std::size_t Distribution::draw_hot(Random& random) const {
  if (hot_ == count_ || random.percent(law_.share_percent)) {
    return random.below(hot_);
  }
  return hot_ + random.below(count_ - hot_);
}

std::size_t Distribution::draw_exponential(Random& random) const {
  // The number of trailing zeros has a geometric distribution.
  const auto halves = static_cast<std::size_t>(std::countr_zero(random.bits()));
  return halves % count_;
}

namespace {

constexpr unsigned kFraction = 31;  // bits behind the point of a number from 1 to 2

/// The logarithm to base 2, times 2^32. Its whole part is the place of the highest bit. Each
/// further bit tells whether the square of the rest reaches 2.
constexpr std::uint64_t logarithm(std::uint64_t n) {
  const auto whole = static_cast<unsigned>(std::bit_width(n)) - 1;
  std::uint64_t rest = whole <= kFraction ? n << (kFraction - whole) : n >> (whole - kFraction);
  std::uint64_t result = std::uint64_t{whole} << 32;
  for (unsigned bit = 32; bit-- > 0;) {
    rest = (rest * rest) >> kFraction;
    if (rest >> (kFraction + 1) != 0) {
      result |= std::uint64_t{1} << bit;
      rest >>= 1;
    }
  }
  return result;
}

constexpr std::uint64_t square_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (unsigned bit = 32; bit-- > 0;) {
    const std::uint64_t larger = root | std::uint64_t{1} << bit;
    root = larger * larger <= n ? larger : root;
  }
  return root;
}

/// 2 to the powers 1/2, 1/4, 1/8, ...
constexpr std::array<std::uint64_t, 32> roots_of_two() {
  std::array<std::uint64_t, 32> roots = {};
  std::uint64_t last = std::uint64_t{2} << kFraction;
  for (std::uint64_t& root : roots) {
    last = root = square_root(last << kFraction);
  }
  return roots;
}

/// 2 to the power of -n / 2^32, times 2^32.
std::uint64_t inverse_power_of_two(std::uint64_t n) {
  static constexpr std::array kRoots = roots_of_two();
  // 2^-(w + f) is 2^(1 - f) / 2^(w + 1).
  const std::uint64_t whole = (n >> 32) + 1;
  const std::uint64_t fraction = (std::uint64_t{1} << 32) - (n & 0xffff'ffffU);
  std::uint64_t power = std::uint64_t{1} << kFraction;
  if (fraction >> 32 != 0) {
    power <<= 1;
  }
  for (std::size_t bit = 0; bit < kRoots.size(); ++bit) {
    if ((fraction >> (31 - bit) & 1) != 0) {
      power = (power * kRoots[bit]) >> kFraction;
    }
  }
  return whole > 33 ? 0 : (power << 1) >> whole;
}

}  // namespace

std::uint64_t inverse_power(std::uint64_t n, std::uint32_t exponent_thousandths) {
  // The logarithm has up to 38 bits and the exponent 14, so the product fits.
  const std::uint64_t product = logarithm(n) * exponent_thousandths / 1000;
  return std::max<std::uint64_t>(1, inverse_power_of_two(product));
}

}  // namespace elapid
