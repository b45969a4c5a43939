// How far a consumer lags behind the end of a log, in time.
//
//   time 3 s   a send of x succeeds at offset 1
//   time 4 s   process 0, which has seen x up to offset 0, begins a poll, which is empty
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
  KeyId key = {};  ///< the key that lags
  std::int64_t ns = 0;
};

/// The greatest lag; the first of equal ones. Nothing if no :poll or :txn succeeded that began
/// at a known time in a process with a known key. O(n log n).
[[nodiscard]] std::optional<Lag> worst_realtime_lag(const Messages& messages);

}  // namespace elapid::kafka
