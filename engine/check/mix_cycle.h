// A cycle of inferred dependencies that no commit order of a mix can have, found without a search
// for orders: most violations are of this kind.
//
// Example: T1 and T2 append to x, T3 reads x = [1] after it has seen what T2 wrote to y. T3 comes
// before T2 by its read of x, and after it by that of y. If T3 is serializable, or at snapshot
// isolation, that is a cycle; if it is read committed it is none.
#pragma once

#include <optional>
#include <span>

#include "engine/infer/component_graph.h"
#include "engine/infer/inference.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A short one, or an update of a register that is lost, as a proof. `components`: of the
/// inference, with all orders that some level asks for. Nothing is said if nothing is found. Each
/// edge is judged by the level of the transaction to which it leads, an anti-dependency by that of
/// the reader (engine/certify/proofs/mixed_proof.h, which must verify the proof: inference may know
/// an order that takes more than this to prove). Linear in the edges of the components, and up to a
/// fixed number of steps to look for shorter ones.
[[nodiscard]] std::optional<Refutation> refute_by_inference(
    const History& history, const TxnLevels& levels, const Inference& inference,
    std::span<const ComponentGraph> components);

}  // namespace elapid
