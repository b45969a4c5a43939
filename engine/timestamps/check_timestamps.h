// The door: whether a history agrees with the timestamps that its database gave.
//
// A database that tells when each transaction started and committed gives an order of all events.
// Carried out in that order, every read must return what it did. Example: T1 commits x = 1 at time
// 10, T2 starts at 20 and reads x = nil. T2 should have seen 1: a violation of EXT.
//
// The axioms are those of Li et al., "Online Timestamp-based Transactional Isolation Checking of
// Database Systems" (2025; Chronos and Aion): INT, EXT, NOCONFLICT and SESSION; beside them real
// time, and that a start comes before its commit. See docs/timestamps.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct TimestampOptions {
  ReadPoint read_point = ReadPoint::kStart;
  bool sessions = false;   ///< check kSession
  bool real_time = false;  ///< check kRealTime; requires that the history has it
  /// By how much two clocks may differ, in units of the timestamps' physical part.
  std::int64_t clock_skew = 0;
  bool wants_order = false;  ///< the proof, where nothing is violated
  std::size_t threads = 1;
  /// Of kNoConflict so many are listed; all are counted.
  std::size_t most_conflicts = 1'000'000;
  /// Asked often; returning false ends the check.
  std::function<bool()> keep_going = [] { return true; };
};

struct TimestampFindings {
  /// By axiom, transaction, operation, key and other transaction; the same for every number of
  /// threads. Of kNoConflict at most TimestampOptions::most_conflicts.
  std::vector<TimestampEvidence> violations = {};
  TimestampCounts counts = {};
  /// Why the history may violate the axioms although nothing that was found does, in words.
  std::optional<std::string> doubt = {};
  bool was_stopped = false;
  /// Where nothing is violated and there is no doubt.
  std::optional<Witness> order = {};
};

/// Whether some transaction that committed has a timestamp.
[[nodiscard]] bool has_timestamps(const History& history);

/// All violations, each once. Requires operations of the data model only. O(n log n + m) time for n
/// transactions with m operations; 34 bytes a transaction, 24 to 48 a key, 4 an append.
[[nodiscard]] TimestampFindings check_timestamps(const History& history,
                                                 const TimestampOptions& options);

}  // namespace elapid
