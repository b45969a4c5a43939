// A table from 64-bit integers to 32-bit numbers, for the ids that formats use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/seeded_hash.h"

namespace elapid {

/// Open addressing, 12 bytes a slot, at most half full. Entries are never removed.
class IntMap {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffffU;

  IntMap() : keys_(kFirstSlots), values_(kFirstSlots, kAbsent) {}

  /// The number of `key`, or kAbsent.
  [[nodiscard]] std::uint32_t find(std::int64_t key) const { return values_[slot_of(key)]; }

  /// The number of `key`. A key without a number gets `fresh`, which must not be kAbsent.
  std::uint32_t find_or_add(std::int64_t key, std::uint32_t fresh) {
    std::size_t slot = slot_of(key);
    if (values_[slot] != kAbsent) {
      return values_[slot];
    }
    if ((size_ + 1) * 2 > keys_.size()) {
      grow();
      slot = slot_of(key);
    }
    ++size_;
    keys_[slot] = key;
    return values_[slot] = fresh;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Prefetches the slot of `key`, for a look-up soon after. Forced inline, since GCC drops calls
  /// of functions that do nothing else.
  [[gnu::always_inline]] void prefetch(std::int64_t key) const {
    const std::size_t slot = home_of(key);
    __builtin_prefetch(&keys_[slot]);
    __builtin_prefetch(&values_[slot]);
  }

 private:
  static constexpr std::size_t kFirstSlots = 16;

  [[nodiscard]] std::size_t home_of(std::int64_t key) const {
    return seeded_hash(static_cast<std::uint64_t>(key)) & (keys_.size() - 1);
  }

  [[nodiscard]] std::size_t slot_of(std::int64_t key) const {
    std::size_t slot = home_of(key);
    while (values_[slot] != kAbsent && keys_[slot] != key) {
      slot = (slot + 1) & (keys_.size() - 1);
    }
    return slot;
  }

  void grow() {
    IntMap larger;
    larger.keys_.assign(keys_.size() * 2, 0);
    larger.values_.assign(keys_.size() * 2, kAbsent);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (values_[i] != kAbsent) {
        const std::size_t slot = larger.slot_of(keys_[i]);
        larger.keys_[slot] = keys_[i];
        larger.values_[slot] = values_[i];
      }
    }
    keys_.swap(larger.keys_);
    values_.swap(larger.values_);
  }

  std::vector<std::int64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t size_ = 0;
};

}  // namespace elapid
