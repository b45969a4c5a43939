// Violations that may be errors of the clocks.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Which of two timestamps is the earlier one, as far as clocks can be trusted.
class SkewedClocks {
 public:
  /// Clocks differ by at most `bound`, in units of the physical part, which is what remains of a
  /// timestamp without its low `logical_bits`.
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

/// Marks violations that errors of the clocks explain: they would vanish if some timestamps that
/// the bound does not order were the other way round. Each violation is looked at alone. Violations
/// that rest on no timestamps are never marked: INT, and reads of values that were aborted,
/// intermediate or never written. O(operations) once, near linear in the violations and the lists
/// they read.
void mark_skewed(const History& history, const Timeline& timeline, const SkewedClocks& clocks,
                 std::span<TimestampEvidence> violations);

}  // namespace elapid
