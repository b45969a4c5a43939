// Keys that a format names by integers of any size.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"

namespace elapid {

/// HistoryBuilder::key() for 64-bit integers: one look-up for any size.
template <class Integer>
class NumberKeys {
 public:
  /// Borrows the builder.
  explicit NumberKeys(HistoryBuilder& builder) : builder_(builder) {}

  KeyId key(Integer name) {
    return static_cast<std::uint64_t>(name) < kSmall
               ? builder_.key(ValueId::integer(static_cast<std::int64_t>(name)))
               : big_key(name);
  }

 private:
  static constexpr std::uint64_t kSmall = std::uint64_t{1} << 22;  // the builder's table

  KeyId big_key(Integer name) {
    const auto bits = static_cast<std::int64_t>(name);
    if (const std::uint32_t known = big_.find(bits); known != IntMap::kAbsent) {
      return {known};
    }
    const KeyId fresh = builder_.key(value(name));
    big_.find_or_add(bits, fresh.value);
    return fresh;
  }

  ValueId value(Integer name) {
    if constexpr (std::is_signed_v<Integer>) {
      return builder_.values().integer(name);
    } else {
      return builder_.values().natural(name);
    }
  }

  HistoryBuilder& builder_;
  IntMap big_;  // by the same 64 bits
};

using IntKeys = NumberKeys<std::int64_t>;
using NaturalKeys = NumberKeys<std::uint64_t>;

}  // namespace elapid
