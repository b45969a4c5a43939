// The answers about a mix that follow from inferred dependencies, without a search for orders: most
// violations, and many proofs.
//
// Example: T1 wrote x and y, T2 read y from T1, but of x the version before T1's. T2 comes before
// T1 by its read of x, and after T1 by its read of y. If T2 is serializable, or at snapshot
// isolation, no commit order has that; if T2 is read committed, there is no cycle.
#pragma once

#include <functional>
#include <optional>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct MixInference {
  /// Whether all are serializable, with session order and real time if one level asks for them.
  /// Then each mix of these levels and weaker ones holds.
  bool holds = false;
  /// A short cycle of dependencies, or a lost update of a register, as a proof. Each edge is judged
  /// by the level of the transaction to which it leads, an anti-dependency by the level of the
  /// reader. check_mixed_proof() must verify it: inference may know an order that is not proved by
  /// these steps alone.
  std::optional<Refutation> refutation = {};
};

/// Decides nothing if reads are wrong by themselves, as their levels judge them: these say more.
/// Near linear, with a fixed number of steps for a shorter cycle. Asks `keep_going` during
/// inference and for each component; decides nothing once it returns false.
[[nodiscard]] MixInference infer_mix(const History& history, const TxnLevels& levels,
                                     const Assumptions& assumptions = {},
                                     const std::function<bool()>& keep_going = {});

}  // namespace elapid
