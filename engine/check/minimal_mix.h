// From a proof that no commit order serves a mix of levels to one that speaks of as little as
// possible. (engine/solve/minimal_refutation.h does it where all ask for one level.)
#pragma once

#include <functional>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A refutation that speaks of some of the transactions in `refutation`, so that the rest serves
/// its levels without any of them, or without the reads of one key by one of them; and of session
/// order and real time only where needed. By deletion, solving an excerpt for each one tried, up to
/// a fixed number. An excerpt keeps a read if it keeps every transaction that may have written what
/// was read, of a list its last element; earlier elements that others appended are left out. So
/// what refutes it refutes the history, but not each step need say so in terms of the history:
/// verify it before it takes the place of `refutation`.
[[nodiscard]] Refutation minimal_in_mix(const History& history, const TxnLevels& levels,
                                        const Refutation& refutation,
                                        const std::function<bool()>& keep_going);

}  // namespace elapid
