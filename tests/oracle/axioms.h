// Whether a history satisfies a saturable level (engine/levels/models.h), by its axiom: all choices
// of who took effect, of whom each read saw and of the commit order are tried.
//
// Shares nothing with the engines but the history and the names of the levels. Exponential.
#pragma once

#include <optional>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/models.h"

namespace elapid {

/// Nothing if that is too much to try. The axioms are those of Biswas and Enea (OOPSLA 2019, figure
/// 2) and, of the session guarantees, those of the table in docs/levels.md.
[[nodiscard]] std::optional<bool> holds_by_axiom(const History& history, OrderLevel level);

/// Whether there is an execution without G1 and without the cycles that the level forbids: an order
/// of the transactions that are part of it, of which the versions of each key take theirs, such
/// that reads saw what came before.
[[nodiscard]] std::optional<bool> holds_without_cycles(const History& history, CycleLevel level);

}  // namespace elapid
