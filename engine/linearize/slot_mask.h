// A set of open operations, as bits: an operation has a slot while it is open.
//
//   SlotMask<1> open; open.add(3);     // 64 slots
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace elapid::linearize {

/// A set of numbers below 64 * Words.
template <unsigned Words>
struct SlotMask {
  std::array<std::uint64_t, Words> words = {};

  static constexpr unsigned kSlots = 64 * Words;

  void add(unsigned slot) { words[slot / 64] |= std::uint64_t{1} << (slot % 64); }

  void remove(unsigned slot) { words[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }

  [[nodiscard]] bool has(unsigned slot) const { return (words[slot / 64] >> (slot % 64) & 1) != 0; }

  [[nodiscard]] bool is_empty() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) {
      all |= word;
    }
    return all == 0;
  }

  /// Whether all of these are in `others`.
  [[nodiscard]] bool is_within(const SlotMask& others) const { return without(others).is_empty(); }

  [[nodiscard]] SlotMask without(const SlotMask& others) const {
    SlotMask left;
    for (unsigned i = 0; i < Words; ++i) {
      left.words[i] = words[i] & ~others.words[i];
    }
    return left;
  }

  /// Calls `visit(slot)` for each, from the lowest.
  template <class Visit>
  void each(Visit visit) const {
    for (unsigned i = 0; i < Words; ++i) {
      for (std::uint64_t word = words[i]; word != 0; word &= word - 1) {
        visit(64 * i + static_cast<unsigned>(std::countr_zero(word)));
      }
    }
  }

  friend SlotMask operator&(const SlotMask& a, const SlotMask& b) {
    SlotMask both;
    for (unsigned i = 0; i < Words; ++i) {
      both.words[i] = a.words[i] & b.words[i];
    }
    return both;
  }

  friend SlotMask operator|(const SlotMask& a, const SlotMask& b) {
    SlotMask any;
    for (unsigned i = 0; i < Words; ++i) {
      any.words[i] = a.words[i] | b.words[i];
    }
    return any;
  }

  friend bool operator==(const SlotMask&, const SlotMask&) = default;
};

}  // namespace elapid::linearize
