// Whether a history satisfies a saturable level (engine/levels/models.h), by its axiom: all choices
// of who took effect, of whom each read saw and of the commit order are tried.
//
// Shares nothing with the engines but the history and the names of the levels. Exponential.
#pragma once

#include <optional>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/models.h"
#include "engine/levels/txn_levels.h"

namespace elapid {

/// Nothing if that is too much to try. The axioms are those of Biswas and Enea (OOPSLA 2019, figure
/// 2) and, of the session guarantees, those of the table in docs/levels.md.
[[nodiscard]] std::optional<bool> holds_by_axiom(const History& history, OrderLevel level);

/// The same where each transaction has a level of its own, of any kind but session guarantees: one
/// commit order contains who read from whom, and of session order and real time what leads to a
/// transaction whose level asks for it. A read from T1 misses nothing that is visible to it: each
/// T2 that writes the key and is visible comes before T1. Visible are, to a reader T, at
/// serializable those before T; at cursor stability the same, if T writes the key; at prefix those
/// up to an S from which T read or that the orders put before T; at snapshot isolation also up to
/// an S that comes before T and writes a key that T writes; at causal, read atomic and read
/// committed those of the axioms, where session order leads to what asks for it.
[[nodiscard]] std::optional<bool> holds_in_mix(const History& history, const TxnLevels& levels);

/// Whether there is an execution without G1 and without the cycles that the level forbids: an order
/// of the transactions that are part of it, of which the versions of each key take theirs, such
/// that reads saw what came before.
[[nodiscard]] std::optional<bool> holds_without_cycles(const History& history, CycleLevel level);

}  // namespace elapid
