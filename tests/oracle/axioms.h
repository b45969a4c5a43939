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

/// The same if each transaction has a level of its own, of any kind but session guarantees. One
/// commit order puts writers before their readers. It puts S before T by session order or real time
/// if T's level has these orders. If T reads from T1, and T2 writes the key and is visible to T, T2
/// comes before T1. Visible to T are: at serializable, the transactions before T; at cursor
/// stability the same, if T writes the key; at prefix, those up to an S from which T read or that
/// the orders put before T; at snapshot isolation also those up to an S that comes before T and
/// writes a key that T writes; at causal, read atomic and read committed, those of the axioms, with
/// session order only towards transactions whose level has it.
[[nodiscard]] std::optional<bool> holds_in_mix(const History& history, const TxnLevels& levels);

/// Whether there is an execution without G1 and without the cycles that the level forbids. It
/// consists of transactions and an order of them, which is also the order of each key's versions.
/// Reads see earlier writes.
[[nodiscard]] std::optional<bool> holds_without_cycles(const History& history, CycleLevel level);

}  // namespace elapid
