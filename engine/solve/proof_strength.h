// The strength of a refutation: the classes of its cycles.
#pragma once

#include <cstdint>

#include "engine/solve/solve.h"

namespace elapid {

/// The weakest class of its cycles in each respect. The fewer levels allow it, the stronger.
struct ProofStrength {
  enum class AntiDependencies : std::uint8_t { kNone, kOne, kNeverAdjacent, kAdjacent };
  enum class Order : std::uint8_t { kNone, kSessions, kRealTime };

  bool ends_with_cycle = false;
  bool has_wr = false;
  AntiDependencies anti_dependencies = AntiDependencies::kNone;
  Order order = Order::kNone;

  /// Whether it rules out all levels that `other` rules out.
  [[nodiscard]] bool is_at_least(const ProofStrength& other) const {
    return ends_with_cycle >= other.ends_with_cycle && has_wr <= other.has_wr &&
           anti_dependencies <= other.anti_dependencies && order <= other.order;
  }
};

/// Requires a refutation.
[[nodiscard]] ProofStrength strength_of(const SolveResult& refuted);

}  // namespace elapid
