// The entry: checks whether a history agrees with the timestamps of its database.
//
// A database that reports when each transaction started and committed gives an order of all events.
// If events run in this order, every read must return its recorded result. Example: T1 commits x =
// 1 at time 10, T2 starts at 20 and reads x = nil. T2 should have seen 1: a violation of EXT.
//
// The axioms are those of Li et al., "Online Timestamp-based Transactional Isolation Checking of
// Database Systems" (2025; Chronos and Aion): INT, EXT, NOCONFLICT and SESSION. Further ones: real
// time, and that a start precedes its commit. See docs/timestamps.md.
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
  bool real_time = false;  ///< check kRealTime; requires real time in the history
  /// The most that two clocks differ, in units of the timestamps' physical part.
  std::int64_t clock_skew = 0;
  bool wants_order = false;  ///< the proof, if nothing is violated
  /// The most violations of kNoConflict to list; all are counted.
  std::size_t most_conflicts = 1'000'000;
  /// Called often; returning false ends the check.
  std::function<bool()> keep_going = [] { return true; };
};

struct TimestampFindings {
  /// By axiom, transaction, operation, key and other transaction; independent of the number of
  /// threads. At most TimestampOptions::most_conflicts are of kNoConflict.
  std::vector<TimestampEvidence> violations = {};
  TimestampCounts counts = {};
  /// Why the history may violate the axioms although no violation was found, in words.
  std::optional<std::string> doubt = {};
  bool was_stopped = false;
  /// If nothing is violated and there is no doubt.
  std::optional<Witness> order = {};
};

/// Whether some committed transaction has a timestamp.
[[nodiscard]] bool has_timestamps(const History& history);

/// All violations, each once. WorkThreads share the work. Requires operations of the data model
/// only. O(n log n + m) time for n transactions with m operations; 34 bytes a transaction, 24 to 48
/// a key, 4 an append.
[[nodiscard]] TimestampFindings check_timestamps(const History& history,
                                                 const TimestampOptions& options);

}  // namespace elapid
