// A proof that no commit order lets each transaction read what its own level allows, re-checked
// step by step.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Why the steps do not prove that the history violates its transactions' levels, in one sentence;
/// nothing where they do. As check_refutation(): the choices of a step's clause are assumed to be
/// false, what follows by unit propagation is drawn, and either that is a contradiction or the
/// edges of the step's cycle hold, and cannot all. Commits follow one another along
///
/// - read-from edges, of any reader; session order and real time, if the later transaction's level
///   asks for them; orders of two writers that lists show or that were proved;
/// - an anti-dependency, from a reader to a writer that overwrote what it read: alone if the reader
///   is serializable, or at cursor stability and writes the key; together with the edge before it,
///   which leads to the reader, if that makes what it comes from part of the reader's snapshot:
///   read-from, session order and real time at prefix and snapshot isolation, at the latter also
///   from a writer of a key that the reader writes too; alone at any level, if lists show that not
///   the reading but the next write of the key was its own;
/// - at causal, read atomic and read committed an anti-dependency closes a cycle with a path that
///   makes the overwriting transaction visible: of read-from and session order, by one such edge,
///   or by an earlier read.
///
/// Trusts nothing in the proof. Near linear in proof and history.
[[nodiscard]] std::optional<std::string> check_mixed_proof(
    const History& history, const TxnLevels& levels, const Refutation& refutation,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
