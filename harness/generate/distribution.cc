#include "harness/generate/distribution.h"

#include <algorithm>
#include <bit>

#include "harness/generate/powers.h"

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
  // As many zeros as a row of coins shows.
  const auto halves = static_cast<std::size_t>(std::countr_zero(random.bits()));
  return halves % count_;
}

}  // namespace elapid
