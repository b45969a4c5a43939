// Makes a proof that no commit order satisfies a mix of levels as small as possible.
// (engine/solve/minimal_refutation.h does this for one level of all.)
#pragma once

#include <functional>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A refutation of a minimal part of the transactions in `refutation`: without any one of them, or
/// without one's reads of a key, the rest satisfies its levels. It uses session order and real time
/// only if needed. By deletion: solves an excerpt of the history for each attempt, up to a fixed
/// number. An excerpt keeps a read if it keeps every possible writer of the value, for a list
/// of its last element; earlier elements of other transactions are left out. So a refutation of the
/// excerpt means that the history is refuted, but a step may not follow from the whole history:
/// verify the result before it replaces `refutation`.
[[nodiscard]] Refutation minimal_in_mix(const History& history, const TxnLevels& levels,
                                        const Refutation& refutation,
                                        const std::function<bool()>& keep_going);

}  // namespace elapid
