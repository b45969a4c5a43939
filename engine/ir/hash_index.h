// An index of places in an array by the hashes of their values, so that values are stored once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/seeded_hash.h"

namespace elapid {

[[nodiscard]] inline std::uint32_t hash_of(KeyId key, ValueId value) {
  return static_cast<std::uint32_t>(seeded_hash(packed(key, value)) >> 32);
}

/// Buckets of one cache line: a look-up in a large table misses the cache once. Slots keep hashes
/// beside the indices, so a search compares values only where hashes are equal, and growing
/// compares none. 8 bytes a slot, at most three quarters of them full.
class HashIndex {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffffU;

  /// The index of the value with this hash for which `is_it(index)` holds, or kAbsent.
  template <class Predicate>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, Predicate is_it) const {
    const Place place = place_of(hash, is_it);
    return buckets_[place.bucket].slots[place.slot].index;
  }

  /// As find(); a value without an index gets the index `fresh`, which must not be kAbsent.
  template <class Predicate>
  std::uint32_t find_or_add(std::uint32_t hash, std::uint32_t fresh, Predicate is_it) {
    if ((size_ + 1) * 4 > buckets_.size() * kSlots * 3) {
      grow();
    }
    const Place place = place_of(hash, is_it);
    Slot& slot = buckets_[place.bucket].slots[place.slot];
    if (slot.index == kAbsent) {
      slot = {hash, fresh};
      ++size_;
    }
    return slot.index;
  }

  /// Prefetches the memory that find() reads, for a call soon after. Forced inline, since GCC 12
  /// drops calls of functions that only prefetch.
  [[gnu::always_inline]] void prefetch(std::uint32_t hash) const {
    __builtin_prefetch(&buckets_[home_of(hash)], 1);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return buckets_.size() * sizeof(Bucket); }

 private:
  static constexpr std::size_t kSlots = 8;

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kAbsent;
  };

  /// An entry that finds its own bucket full goes into the next one.
  struct alignas(64) Bucket {
    std::array<Slot, kSlots> slots = {};
  };

  struct Place {
    std::size_t bucket = 0;
    std::size_t slot = 0;
  };

  /// By the high bits: then growing walks both tables in the same order.
  [[nodiscard]] std::size_t home_of(std::uint32_t hash) const { return hash >> shift_; }

  /// The value's place, or the empty slot for it. The low bits tell where in a bucket to begin.
  template <class Predicate>
  [[nodiscard]] Place place_of(std::uint32_t hash, Predicate is_it) const {
    for (std::size_t at = home_of(hash);; at = (at + 1) & (buckets_.size() - 1)) {
      for (std::size_t i = 0; i < kSlots; ++i) {
        const std::size_t place = (hash + i) % kSlots;
        const Slot slot = buckets_[at].slots[place];
        if (slot.index == kAbsent || (slot.hash == hash && is_it(slot.index))) {
          return {at, place};
        }
      }
    }
  }

  void grow() {
    std::vector<Bucket> old(buckets_.size() * 2);
    old.swap(buckets_);
    --shift_;
    for (const Bucket& bucket : old) {
      for (const Slot& slot : bucket.slots) {
        if (slot.index != kAbsent) {
          const Place place = place_of(slot.hash, [](std::uint32_t) { return false; });
          buckets_[place.bucket].slots[place.slot] = slot;
        }
      }
    }
  }

  std::vector<Bucket> buckets_ = std::vector<Bucket>(2);
  unsigned shift_ = 31;  // 32 minus the binary logarithm of the number of buckets
  std::size_t size_ = 0;
};

}  // namespace elapid
