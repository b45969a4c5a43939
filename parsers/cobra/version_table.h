// The facts in the logs about each version, that is, about one write of one key. A read names the
// transaction that wrote the version and a hash of its value. These must agree with the write and
// with other reads.
//
// This table decides the speed of reading logs, because every operation looks it up, outside of the
// cache. So an entry keeps a hash of 31 bits. Ids of writes that count up from 0, as converters
// number them, are indices. Clients of a database make random ids, which are hashed into buckets of
// one cache line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/seeded_hash.h"

namespace elapid::cobra {

struct Version {
  std::uint32_t statement : 31 = 0;   ///< hash of a record's facts about it
  std::uint32_t is_recorded : 1 = 0;  ///< a log has the write itself, not only reads of it
};

/// Entries are never removed.
class VersionTable {
 public:
  struct Found {
    Version* version = nullptr;  ///< null: not in the table; valid until the next add()
    ValueId value = ValueId::none();
  };

  static constexpr std::uint32_t kStatementBits = 0x7fffffff;

  /// For about this many versions; more cost more.
  explicit VersionTable(std::size_t expected) : expected_(expected) {}

  static std::uint32_t statement(std::uint64_t writer, std::uint64_t value_hash) {
    const std::uint64_t mixed = (writer ^ (value_hash * 0xff51afd7ed558ccdU)) * 0xc4ceb9fe1a85ec53U;
    return static_cast<std::uint32_t>(mixed >> 33);
  }

  /// Prefetches a version for a look-up soon after. GCC 12 drops calls of a function that only
  /// prefetches, so inlining is forced.
  [[gnu::always_inline]] void prefetch(std::uint64_t write, KeyId key) const {
    if (write < indexed_.size()) {
      __builtin_prefetch(&indexed_[write], 1);
    } else if (!buckets_.empty()) {
      __builtin_prefetch(&buckets_[home_of(name(write, key))], 1);
    }
  }

  [[nodiscard]] Found find(std::uint64_t write, KeyId key) {
    if (write < indexed_.size()) {
      IndexedVersion& slot = indexed_[write];
      if (slot.key == key) {
        return {&slot.version, ValueId::integer(static_cast<std::int64_t>(write))};
      }
      if (slot.key.is_none()) {
        return {};
      }
    }
    if (buckets_.empty()) {
      return {};
    }
    HashedVersion& slot = hashed_slot(name(write, key));
    return slot.is_empty() ? Found{} : Found{&slot.version, slot.value};
  }

  /// Adds a version that find() did not find. `value` stands for the id of the write.
  void add(std::uint64_t write, KeyId key, ValueId value, Version version);

 private:
  /// The first key's version for the write with this index as id; those of other keys are hashed.
  struct IndexedVersion {
    KeyId key = KeyId::none();
    Version version = {};
  };

  struct HashedVersion {
    std::uint64_t name = 0;
    ValueId value = ValueId::none();
    Version version = {};

    [[nodiscard]] bool is_empty() const { return value.is_none(); }
  };

  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kFill = 3;  // of the slots, on average at most

  /// A version without room in its own bucket goes into the next one.
  struct alignas(64) Bucket {
    std::array<HashedVersion, kSlots> slots = {};
  };

  /// A hash of 64 bits, because write and key would need 96.
  static std::uint64_t name(std::uint64_t write, KeyId key) {
    return write ^ (key.value * 0x9e3779b97f4a7c15U);
  }

  /// Scales a hash to the number of buckets, which need not be a power of two.
  [[nodiscard]] std::size_t home_of(std::uint64_t name) const {
    const std::uint64_t hash = seeded_hash(name) >> 32;
    return static_cast<std::size_t>((hash * buckets_.size()) >> 32);
  }

  /// The version's slot, or the empty slot for it.
  [[nodiscard]] HashedVersion& hashed_slot(std::uint64_t name) {
    for (std::size_t at = home_of(name);; at = at + 1 == buckets_.size() ? 0 : at + 1) {
      for (HashedVersion& slot : buckets_[at].slots) {
        if (slot.name == name || slot.is_empty()) {
          return slot;
        }
      }
    }
  }

  bool add_indexed(std::uint64_t write, KeyId key, Version version);
  void rehash(std::size_t expected);

  std::size_t expected_;
  std::vector<IndexedVersion> indexed_;  // empty until the first version
  std::vector<Bucket> buckets_;          // empty until the first version
  std::size_t hashed_ = 0;
};

}  // namespace elapid::cobra
