// The sweep over time: compares each read with the last committed version (INT and EXT), and each
// write with the previous one (NOCONFLICT).
//
// The idea is that of Chronos (Li et al., "Online Timestamp-based Transactional Isolation Checking
// of Database Systems", 2025), section III: simulate the execution in the order of timestamps.
// Chronos collects a transaction's reads and writes in maps; here each key stores only its current
// version and the last transaction that looked at it. Each thread sweeps over a part of the time,
// and before that lets all earlier writes take effect.
#pragma once

#include <functional>
#include <optional>

#include "engine/timestamps/key_judge.h"

namespace elapid {

/// The violations by the timeline; nothing if `keep_going`, called now and then, returns false.
/// They are in order of time. O(operations) time, and comparisons of lists that are no prefixes of
/// their key's longest one. At most 3 WorkThreads share the work, and each may call `keep_going`.
/// Each takes 24 bytes a key, of lists 48 and 4 an append; they are fewer if memory is limited.
[[nodiscard]] std::optional<SweepFindings> sweep(const History& history, const Timeline& timeline,
                                                 const MaybeWrites& maybe_writes,
                                                 const std::function<bool()>& keep_going);

}  // namespace elapid
