// The sweep over time: every read is compared with what was committed last (INT and EXT), every
// write with the one before it (NOCONFLICT).
//
// The idea is that of Chronos (Li et al., "Online Timestamp-based Transactional Isolation Checking
// of Database Systems", 2025), section III: simulate the execution in the order of timestamps.
// Instead of collecting a transaction's reads and writes in maps, each key remembers who looked at
// it last; nothing is kept for a key but its current version. Keys do not depend on one another, so
// each thread sweeps over all transactions and looks at its own keys only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "engine/timestamps/key_judge.h"

namespace elapid {

/// What is wrong by the timeline; nothing if `keep_going`, asked now and then, says no. The order
/// of what was found is that of time if there is one thread, and not determined else. O(operations)
/// time beside comparing lists that are no prefixes of their key's longest one; 24 bytes a key.
[[nodiscard]] std::optional<SweepFindings> sweep(const History& history, const Timeline& timeline,
                                                 const MaybeWrites& maybe_writes,
                                                 std::size_t threads,
                                                 const std::function<bool()>& keep_going);

}  // namespace elapid
