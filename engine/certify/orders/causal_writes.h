// Checks causal consistency on a commit order in which the writer of each read is known.
#pragma once

#include "engine/certify/flaw.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/orders/visible_writes.h"
#include "engine/certify/patience.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// Whether no writer of a key that reads and, if they count, sessions lead from to a read of it
/// comes after the one that the read saw; false if that is not found out in few steps, by a search
/// backwards from each reader. What is visible at a weaker level is visible here too. Near linear.
[[nodiscard]] bool is_plainly_causal(const History& history, bool has_sessions,
                                     const CommitPlaces& places, const SeenWrites& seen);

/// The same, whatever it costs: O(operations * chains), with 64 bytes a transaction. Session order
/// must lead forward if it counts.
[[nodiscard]] Flaw check_causal_writes(const History& history, bool has_sessions,
                                       const CommitPlaces& places, const SeenWrites& seen,
                                       Patience& patience);

}  // namespace elapid::certify
