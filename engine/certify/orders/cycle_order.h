// Re-checks a proof that a history satisfies a level that forbids shapes of cycles: an order of
// transactions, which orders the versions of each key, and the writer that each read saw.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the order does not show that the history satisfies the level, in one sentence;
/// nothing if it does. It does if it shows the weaker level that decides which reads count
/// (commit_order.h), and no cycle of dependencies has the forbidden shape.
///
/// Trusts nothing in the witness. Near linear if readers of old versions come soon after the
/// writers that they missed.
[[nodiscard]] std::optional<std::string> check_cycle_order(
    const History& history, CycleLevel level, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
