// What the logs say of each version, that is, of one write of one key: reads name the transaction
// that wrote it and a hash of its value, and must agree with the write and with one another.
//
// This table decides how fast logs are read, since every operation looks into it and finds it out
// of the cache. So an entry is 16 bytes: the version by a 64-bit hash of write and key, and a
// 31-bit hash of what is said of it.
#ifndef ELAPID_PARSERS_COBRA_VERSION_TABLE_H_
#define ELAPID_PARSERS_COBRA_VERSION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid::cobra {

struct Version {
  std::uint64_t name = 0;
  ValueId value = ValueId::none();    ///< none(): an empty slot
  std::uint32_t statement : 31 = 0;   ///< what a record says of it, hashed
  std::uint32_t is_recorded : 1 = 0;  ///< a log has the write itself, and not only reads of it

  [[nodiscard]] bool is_empty_slot() const { return value.is_none(); }
};

/// Open addressing, at most three quarters full. Nothing is ever removed.
class VersionTable {
 public:
  /// With room for this many versions.
  explicit VersionTable(std::size_t expected);

  /// For at most 2^30 writes of integers below 2^30 no two names are equal; for hashes it is as
  /// likely as for any of 64 bits.
  static std::uint64_t name(std::uint64_t write, KeyId key) {
    return write ^ (key.value * 0x9e3779b97f4a7c15U);
  }

  static constexpr std::uint32_t kStatementBits = 0x7fffffff;

  static std::uint32_t statement(std::uint64_t writer, std::uint64_t value_hash) {
    const std::uint64_t mixed = (writer ^ (value_hash * 0xff51afd7ed558ccdU)) * 0xc4ceb9fe1a85ec53U;
    return static_cast<std::uint32_t>(mixed >> 33);
  }

  /// Brings the slot of a version nearer, for a look-up soon after. GCC 12 leaves out calls of a
  /// function that only prefetches, hence inlined by force.
  [[gnu::always_inline]] void prefetch(std::uint64_t name) const {
    __builtin_prefetch(&slots_[home_of(name)], 1);
  }

  /// The version, or the empty slot where it belongs, for add() only. Valid until the next add().
  [[nodiscard]] Version& slot(std::uint64_t name) {
    std::size_t slot = home_of(name);
    while (!slots_[slot].is_empty_slot() && slots_[slot].name != name) {
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    }
    return slots_[slot];
  }

  /// Fills an empty slot.
  void add(Version& slot, const Version& version) {
    slot = version;
    if (++size_ * 4 > slots_.size() * 3) {
      grow();
    }
  }

 private:
  /// Scales a hash to the number of slots, which need not be a power of two.
  [[nodiscard]] std::size_t home_of(std::uint64_t name) const {
    const std::uint64_t hash = ((name ^ (name >> 32)) * 0xc4ceb9fe1a85ec53U) >> 32;
    return static_cast<std::size_t>((hash * slots_.size()) >> 32);
  }

  void grow();

  std::vector<Version> slots_;
  std::size_t size_ = 0;
};

}  // namespace elapid::cobra

#endif  // ELAPID_PARSERS_COBRA_VERSION_TABLE_H_
