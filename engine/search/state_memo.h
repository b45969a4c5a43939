// A memory of visited states, by their hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace elapid::search {

/// 128 bits: the chance that among 2^26 states two have equal hashes is 2^-77.
struct StateHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  StateHash& operator^=(StateHash other) {
    low ^= other.low;
    high ^= other.high;
    return *this;
  }

  friend bool operator==(StateHash, StateHash) = default;
};

/// Equivalent to a table of random numbers (Zobrist 1970), but computed: the finaliser of
/// SplitMix64 (Steele, Lea and Flood 2014) with two seeds.
[[nodiscard]] constexpr StateHash zobrist(std::uint64_t feature) {
  constexpr auto kMix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  return {kMix(feature + 0x9e3779b97f4a7c15U), kMix(kMix(feature ^ 0xd1b54a32d192ed03U) + feature)};
}

/// A set of hashes, with open addressing; 16 bytes a slot, at most half full.
class StateMemo {
 public:
  StateMemo() : slots_(kFirstSlots) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Adds the state. Whether it was new.
  bool insert(StateHash state) {
    if (state == StateHash{}) {
      state.low = 1;  // empty slots are zero
    }
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
    }
    StateHash& slot = slot_of(state);
    if (slot == state) {
      return false;
    }
    slot = state;
    ++size_;
    return true;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;

  StateHash& slot_of(StateHash state) {
    std::size_t at = state.low & (slots_.size() - 1);
    while (!(slots_[at] == StateHash{}) && !(slots_[at] == state)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }

  void grow() {
    std::vector<StateHash> old(2 * slots_.size());
    old.swap(slots_);
    for (const StateHash state : old) {
      if (!(state == StateHash{})) {
        slot_of(state) = state;
      }
    }
  }

  std::vector<StateHash> slots_;
  std::size_t size_ = 0;
};

}  // namespace elapid::search
