// Checks causal consistency on a commit order, given the writer of each read.
#pragma once

#include "engine/certify/flaw.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/orders/visible_writes.h"
#include "engine/certify/patience.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// Whether no read's key has a later writer than the read's own that reads and, if they count,
/// sessions connect to the reader. A search backwards from each reader; false if it does not end in
/// few steps. All that is visible at a weaker level is visible here too. Near linear.
[[nodiscard]] bool is_plainly_causal(const History& history, bool has_sessions,
                                     const CommitPlaces& places, const SeenWrites& seen);

/// The same at any cost: O(operations * chains), with 64 bytes a transaction. If session order
/// counts, it must lead forward.
[[nodiscard]] Flaw check_causal_writes(const History& history, bool has_sessions,
                                       const CommitPlaces& places, const SeenWrites& seen,
                                       Patience& patience);

}  // namespace elapid::certify
