// The sweep over time: compares each read with the last committed version (INT and EXT), and each
// write with the previous one (NOCONFLICT).
//
// The idea is that of Chronos (Li et al., "Online Timestamp-based Transactional Isolation Checking
// of Database Systems", 2025), section III: simulate the execution in the order of timestamps.
// Chronos collects a transaction's reads and writes in maps; here each key stores only its current
// version and the last transaction that looked at it. Keys are independent, so each thread sweeps
// over all transactions but handles only its own keys.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "engine/timestamps/key_judge.h"

namespace elapid {

/// The violations by the timeline; nothing if `keep_going`, called now and then, returns false.
/// They are in order of time if there is one thread, else in no fixed order. O(operations) time,
/// and comparisons of lists that are no prefixes of their key's longest one; 24 bytes a key.
[[nodiscard]] std::optional<SweepFindings> sweep(const History& history, const Timeline& timeline,
                                                 const MaybeWrites& maybe_writes,
                                                 std::size_t threads,
                                                 const std::function<bool()>& keep_going);

}  // namespace elapid
