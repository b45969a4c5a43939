// What inferred dependencies say of a mix, without a search for orders: most violations, and much
// of what holds.
//
// Example: T1 wrote x and y, T2 read y from T1, but of x what was there before. T2 comes before T1
// by its read of x, and after it by that of y. If T2 is serializable, or at snapshot isolation, no
// commit order has that; if T2 is read committed, there is no cycle.
#pragma once

#include <functional>
#include <optional>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct MixInference {
  /// Whether serializability of all holds, with session order and real time if one level asks for
  /// them. Then each mix of these levels and lower ones holds.
  bool holds = false;
  /// A short cycle of dependencies, or an update of a register that is lost, as a proof. Each edge
  /// is judged by the level of the transaction to which it leads, an anti-dependency by that of the
  /// reader. check_mixed_proof() must verify it: inference may know an order that takes more than
  /// this to prove.
  std::optional<Refutation> refutation = {};
};

/// If reads are wrong by themselves, as their levels judge them, nothing is said: they say more.
/// Near linear; for a shorter cycle a fixed number of steps is spent. `keep_going` is asked during
/// inference and for each component; once it says no, nothing is said.
[[nodiscard]] MixInference infer_mix(const History& history, const TxnLevels& levels,
                                     const Assumptions& assumptions = {},
                                     const std::function<bool()>& keep_going = {});

}  // namespace elapid
