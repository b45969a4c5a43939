// Writes without a known time: it is unknown when they took effect, or whether they did.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// What transactions without a place wrote: a read that shows it is no violation, and no proof of
/// anything either. 8 bytes a write.
class MaybeWrites {
 public:
  MaybeWrites(const History& history, const Timeline& timeline);

  [[nodiscard]] bool empty() const { return writes_.empty(); }

  [[nodiscard]] bool contains(KeyId key, ValueId value) const;

 private:
  std::vector<std::uint64_t> writes_;  // sorted
};

}  // namespace elapid
