// Violations that clock errors can explain.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ir/history.h"
#include "engine/timestamps/maybe_writes.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The order of two timestamps, as far as clocks can be trusted.
class SkewedClocks {
 public:
  /// Clocks differ by at most `bound`, in units of the physical part: the timestamp without its low
  /// `logical_bits`.
  SkewedClocks(std::int64_t bound, unsigned logical_bits)
      : bound_(static_cast<std::uint64_t>(bound)), logical_bits_(logical_bits) {}

  [[nodiscard]] bool is_certainly_before(std::int64_t a, std::int64_t b) const {
    const auto physical = [this](std::int64_t t) {
      return static_cast<std::uint64_t>(t >> logical_bits_);
    };
    return a < b && physical(b) - physical(a) > bound_;
  }

 private:
  std::uint64_t bound_;
  unsigned logical_bits_;
};

/// Marks violations that clock errors explain: they would vanish if some timestamps that the bound
/// does not order were in the other order. Each violation is examined alone. Violations that do not
/// depend on timestamps are never marked: INT, and reads of values that were aborted, intermediate
/// or never written. O(operations) once, then near linear in the violations and the lists that they
/// read.
void mark_skewed(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                 const SkewedClocks& clocks, std::span<TimestampEvidence> violations);

}  // namespace elapid
