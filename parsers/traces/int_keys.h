// Keys that a format names by integers of any size.
#ifndef ELAPID_PARSERS_TRACES_INT_KEYS_H_
#define ELAPID_PARSERS_TRACES_INT_KEYS_H_

#include <cstdint>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"

namespace elapid {

/// HistoryBuilder::key() for integers: one look-up, however big they are.
class IntKeys {
 public:
  /// Borrows the builder.
  explicit IntKeys(HistoryBuilder& builder) : builder_(builder) {}

  KeyId key(std::int64_t name) {
    return name >= 0 && name < kSmall ? builder_.key(ValueId::integer(name)) : big_key(name);
  }

 private:
  static constexpr std::int64_t kSmall = std::int64_t{1} << 22;  // the builder has a table of these

  KeyId big_key(std::int64_t name) {
    if (const std::uint32_t known = big_.find(name); known != IntMap::kAbsent) {
      return {known};
    }
    const KeyId fresh = builder_.key(builder_.values().integer(name));
    big_.find_or_add(name, fresh.value);
    return fresh;
  }

  HistoryBuilder& builder_;
  IntMap big_;
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_TRACES_INT_KEYS_H_
