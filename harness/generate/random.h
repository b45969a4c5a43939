// Random numbers that are the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace elapid {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 64 random bits.
  std::uint64_t bits() { return engine_(); }

  /// A number from 0 to n - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

  bool percent(std::size_t chance) { return below(100) < chance; }

  /// True with this probability, in millionths.
  bool per_million(std::uint64_t chance) { return chance > 0 && engine_() % 1'000'000 < chance; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace elapid
