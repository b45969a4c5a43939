// How far a consumer is behind the end of a log, in time.
//
//   time 3 s   a send of x succeeds at offset 1
//   time 4 s   process 0, which has seen x up to offset 0, begins to poll, and finds nothing
//
// From 3 s on, offset 0 was not the end of the log. The poll began at 4 s: the lag is at least 1 s.
//
// After jepsen.tests.kafka (realtime-lag).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/workloads/kafka/messages.h"

namespace elapid::kafka {

struct Lag {
  TxnId txn = {};  ///< the poll
  KeyId key = {};  ///< of which it saw less than there was
  std::int64_t ns = 0;
};

/// The greatest lag, the first of equal ones; nothing where no :poll or :txn succeeded that began
/// at a known time, in a process that knew of a key. O(n log n), and the keys of a process for each
/// of its polls.
[[nodiscard]] std::optional<Lag> worst_realtime_lag(const Messages& messages);

}  // namespace elapid::kafka
