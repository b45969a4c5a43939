// Re-checks, step by step, a proof that no commit order lets each transaction read what its own
// level allows.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The reason why the steps do not prove that the history violates its transactions' levels, in one
/// sentence; nothing if they do. As check_refutation(): the choices of a step's clause are assumed
/// to be false, and unit propagation draws the consequences. Then there is a contradiction, or the
/// edges of the step's cycle hold, and cannot all hold. Commits follow one another along
///
/// - read-from edges, of any reader; session order and real time, if the later transaction's level
///   asks for them; orders of two writers that lists show or that were proved;
/// - an anti-dependency, from a reader to a writer that overwrote the version read. It counts alone
///   if the reader is serializable, or at cursor stability and writes the key. It counts with the
///   edge before it, which leads to the reader, if the start of that edge is in the reader's
///   snapshot: a read-from, session or real-time edge at prefix and snapshot isolation, at the
///   latter also from a writer of a key that the reader writes. It counts alone at any level if
///   lists show that the next write of the key was the reader's own;
/// - at causal, read atomic and read committed, an anti-dependency that a path closes to a cycle.
///   The path makes the overwriting transaction visible: by read-from and session order, by one
///   such edge, or by an earlier read.
///
/// Trusts nothing in the proof. Near linear in proof and history.
[[nodiscard]] std::optional<std::string> check_mixed_proof(
    const History& history, const TxnLevels& levels, const Refutation& refutation,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
