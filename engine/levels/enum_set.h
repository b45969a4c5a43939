// Sets of the values of an enumeration, such as models and anomalies.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace elapid {

/// A set of values of the enumeration `E`, which are 0 ... kCount - 1. Iteration goes from the
/// least to the greatest.
template <class E, std::size_t kCount>
class EnumSet {
 public:
  constexpr EnumSet() = default;

  constexpr EnumSet(std::initializer_list<E> values) {
    for (const E value : values) {
      set(value);
    }
  }

  [[nodiscard]] static constexpr EnumSet all() { return ~EnumSet(); }

  [[nodiscard]] constexpr bool test(E value) const {
    return ((words_[word(value)] >> place(value)) & 1U) != 0;
  }

  constexpr EnumSet& set(E value, bool is_in = true) {
    const std::uint64_t bit = std::uint64_t{1} << place(value);
    words_[word(value)] = is_in ? words_[word(value)] | bit : words_[word(value)] & ~bit;
    return *this;
  }

  constexpr EnumSet& reset(E value) { return set(value, false); }

  [[nodiscard]] constexpr bool any() const { return *this != EnumSet(); }

  [[nodiscard]] constexpr bool none() const { return !any(); }

  [[nodiscard]] constexpr std::size_t count() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) {
      count += static_cast<std::size_t>(std::popcount(word));
    }
    return count;
  }

  /// The least value. The set must not be empty.
  [[nodiscard]] constexpr E first() const { return *begin(); }

  constexpr EnumSet& operator|=(const EnumSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] |= other.words_[w];
    }
    return *this;
  }

  constexpr EnumSet& operator&=(const EnumSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] &= other.words_[w];
    }
    return *this;
  }

  friend constexpr EnumSet operator|(EnumSet a, const EnumSet& b) { return a |= b; }

  friend constexpr EnumSet operator&(EnumSet a, const EnumSet& b) { return a &= b; }

  constexpr EnumSet operator~() const {
    EnumSet others;
    for (std::size_t value = 0; value < kCount; ++value) {
      others.set(static_cast<E>(value), !test(static_cast<E>(value)));
    }
    return others;
  }

  friend constexpr bool operator==(const EnumSet&, const EnumSet&) = default;

  class Iterator {
   public:
    using value_type = E;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() = default;

    constexpr Iterator(const EnumSet& set, std::size_t at) : set_(set), at_(at) { skip(); }

    constexpr E operator*() const { return static_cast<E>(at_); }

    constexpr Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }

    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }

    friend constexpr bool operator==(const Iterator& a, const Iterator& b) {
      return a.at_ == b.at_;
    }

   private:
    constexpr void skip() {
      while (at_ < kCount && !set_.test(static_cast<E>(at_))) {
        ++at_;
      }
    }

    EnumSet set_;  // by value: a loop may range over a set that changes meanwhile
    std::size_t at_ = kCount;
  };

  [[nodiscard]] constexpr Iterator begin() const { return {*this, 0}; }

  [[nodiscard]] constexpr Iterator end() const { return {*this, kCount}; }

  /// The values for which `is_wanted(value)` holds.
  template <class Predicate>
  [[nodiscard]] constexpr EnumSet filter(Predicate is_wanted) const {
    EnumSet wanted;
    for (const E value : *this) {
      wanted.set(value, is_wanted(value));
    }
    return wanted;
  }

 private:
  [[nodiscard]] static constexpr std::size_t word(E value) {
    return static_cast<std::size_t>(value) / 64;
  }

  [[nodiscard]] static constexpr std::size_t place(E value) {
    return static_cast<std::size_t>(value) % 64;
  }

  std::array<std::uint64_t, (kCount + 63) / 64> words_ = {};
};

}  // namespace elapid
