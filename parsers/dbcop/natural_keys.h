// Keys that dbcop names by unsigned 64-bit numbers.
#ifndef ELAPID_PARSERS_DBCOP_NATURAL_KEYS_H_
#define ELAPID_PARSERS_DBCOP_NATURAL_KEYS_H_

#include <cstdint>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"

namespace elapid {

/// HistoryBuilder::key() for such numbers: one look-up, however big they are.
class NaturalKeys {
 public:
  /// Borrows the builder.
  explicit NaturalKeys(HistoryBuilder& builder) : builder_(builder) {}

  KeyId key(std::uint64_t name) {
    return name < kSmall ? builder_.key(ValueId::integer(static_cast<std::int64_t>(name)))
                         : big_key(name);
  }

 private:
  static constexpr std::uint64_t kSmall = std::uint64_t{1} << 22;  // the builder's table of these

  KeyId big_key(std::uint64_t name) {
    const auto bits = static_cast<std::int64_t>(name);
    if (const std::uint32_t known = big_.find(bits); known != IntMap::kAbsent) {
      return {known};
    }
    const KeyId fresh = builder_.key(builder_.values().natural(name));
    big_.find_or_add(bits, fresh.value);
    return fresh;
  }

  HistoryBuilder& builder_;
  IntMap big_;  // by the same 64 bits
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_DBCOP_NATURAL_KEYS_H_
