// Re-checks, step by step, a proof that a history violates a level that forbids shapes of cycles.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the steps do not prove that the history violates the level, in one sentence;
/// nothing if they do. As check_refutation(): the choices of a step's clause are assumed to be
/// false, and unit propagation draws the consequences. Then there is a contradiction, or the edges
/// of the step's cycle hold, and the level forbids a cycle of this shape.
///
/// Trusts nothing in the proof. Near linear in proof and history.
[[nodiscard]] std::optional<std::string> check_cycle_proof(
    const History& history, CycleLevel level, const Refutation& refutation,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
