// SESSION and real time: whether timestamps agree with the order in which clients did things.
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// kStartFirst: committed transactions that commit before they start. Linear.
[[nodiscard]] std::vector<TimestampEvidence> late_starts(const History& history,
                                                         ReadPoint read_point);

/// kSession: transactions that read before the one before them in their session committed, by order
/// of the history. Transactions with places count, indeterminate ones as the later of two only, for
/// they may have ended at any time. Linear.
[[nodiscard]] std::vector<TimestampEvidence> broken_sessions(const History& history,
                                                             const Timeline& timeline);

/// kRealTime: transactions that read before some other committed that had completed before they
/// were invoked; each is compared with the latest commit among these. Requires real time.
/// O(transactions log transactions).
[[nodiscard]] std::vector<TimestampEvidence> broken_real_time(const History& history,
                                                              const Timeline& timeline);

}  // namespace elapid
