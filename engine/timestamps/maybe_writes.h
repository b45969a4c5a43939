// Writes that may have taken effect at an unknown time, or not at all.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// The writes of transactions without a place. A read that shows one is no violation, and proves
/// nothing either. 8 bytes a write.
class MaybeWrites {
 public:
  MaybeWrites(const History& history, const Timeline& timeline);

  [[nodiscard]] bool empty() const { return writes_.empty(); }

  [[nodiscard]] bool contains(KeyId key, ValueId value) const;

 private:
  std::vector<std::uint64_t> writes_;  // sorted
};

}  // namespace elapid
