// Finds values in an array by their hashes: an index of places, so that values are stored once.
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

/// Buckets of one cache line, since every look-up in a large table finds it out of the cache.
/// Hashes are kept beside the indices: a search looks at the values themselves only where it ends,
/// and growing does not at all. 8 bytes a slot, at most three quarters of them full.
class HashIndex {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffffU;

  /// The index of the value with this hash for which `is_it(index)` holds, or kAbsent.
  template <class Predicate>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, Predicate is_it) const {
    const Place place = place_of(hash, is_it);
    return buckets_[place.bucket].slots[place.slot].index;
  }

  /// The same; the value gets the index `fresh` (not kAbsent) if it has none yet.
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

  /// Brings what find() needs nearer, for a call soon after. GCC 12 leaves out calls of a function
  /// that only prefetches, hence inlined by force.
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

  /// What does not find room in its own bucket goes into the next.
  struct alignas(64) Bucket {
    std::array<Slot, kSlots> slots = {};
  };

  struct Place {
    std::size_t bucket = 0;
    std::size_t slot = 0;
  };

  /// By the high bits, so that growing goes through both tables in step.
  [[nodiscard]] std::size_t home_of(std::uint32_t hash) const { return hash >> shift_; }

  /// Of the value, or the empty slot where it belongs. Low bits tell where in a bucket to begin.
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
  unsigned shift_ = 31;  // 32 less the binary logarithm of their number
  std::size_t size_ = 0;
};

}  // namespace elapid
