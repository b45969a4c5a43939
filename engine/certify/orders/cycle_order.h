// Re-checks a proof that a history satisfies a level that forbids shapes of cycles: an order of the
// transactions, from which the versions of each key take theirs, and the writer that each read saw.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the order does not show that the history satisfies the level, in one sentence;
/// nothing where it does. It does if it shows that the weaker level holds that tells which reads
/// count (commit_order.h), and no cycle of dependencies is of the forbidden shape.
///
/// Trusts nothing in the witness. Near linear where readers of old versions come soon after the
/// writers that they missed.
[[nodiscard]] std::optional<std::string> check_cycle_order(
    const History& history, CycleLevel level, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
