// A run: sessions carry out requests on a database, and what they see is recorded as it happens.
//
//   RequestFeed feed(workload.requests(options), seed, {.transactions = 10'000});
//   Recorder recorder(std::move(files), sessions);
//   const Result<DriveCounts> counts = drive(database, feed, recorder, {.sessions = 8});
//
// A session is a thread with a connection and the number of a process, which has one transaction at
// a time. An indeterminate transaction ends its process, as in Jepsen: the session goes on under
// the number that is greater by the number of sessions, with a new connection. A lost connection is
// opened again.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"
#include "harness/drive/nemesis.h"
#include "harness/drive/recorder.h"
#include "harness/drive/request_feed.h"

namespace elapid {

struct DriveOptions {
  std::size_t sessions = 10;
  std::optional<std::chrono::nanoseconds> time = {};  ///< no transaction begins after it
  double rate = 0;  ///< transactions begun a second by all; 0: as many as can be
  std::chrono::nanoseconds think = {};  ///< what a session waits after each of its transactions
  std::uint64_t retries = 0;            ///< of what the database has aborted
  /// `:isolation` by Request::level, to be recorded of each transaction; empty: all ask for one
  /// level. Must outlive the recorder.
  std::span<const PlainField> levels = {};
  bool loads = false;       ///< a first transaction writes the source's initial values
  bool final_reads = true;  ///< in the end everything is read, one after another
  /// How long a database that takes no connections is waited for, before the run ends.
  std::chrono::milliseconds reconnect{30'000};
  /// Called once when all sessions have a connection: from here on there is something to record.
  std::function<void()> on_connected = {};
  /// Asked 20 times a second by the thread that calls; true ends the run: no transaction begins any
  /// more, but for final reads.
  std::function<bool()> should_stop = {};
  /// Injects faults while the sessions work, but not at the final reads; null: no faults. It writes
  /// them to the recorder's log after those of the sessions.
  FaultInjector* nemesis = nullptr;
};

/// What the sessions know when all is over.
struct DriveCounts {
  std::uint64_t transactions = 0;
  std::uint64_t operations = 0;
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;  ///< by the database or by clients
  std::uint64_t indeterminate = 0;
  std::uint64_t retried = 0;  ///< attempts that aborted and that were made again
  std::uint64_t reconnects = 0;
  std::array<std::uint64_t, kTxnErrors> errors =
      {};                    ///< by TxnError, attempts that were retried too
  std::string failure = {};  ///< the words of the first error that is_failure(), in one session
  std::chrono::duration<double> seconds = {};  ///< without final reads
};

/// Whether an error says that a transaction could not be carried out at all, not that it met
/// another one or that its client gave up.
[[nodiscard]] constexpr bool is_failure(TxnError error) {
  return error == TxnError::kConnection || error == TxnError::kTimeout || error == TxnError::kOther;
}

/// Carries out the requests of `feed`, until there are no more, the time is up, should_stop() says
/// so, or the record cannot be written. The caller finishes the record. Errors: kUnreadable where
/// the database takes no connections, and those of faults; what has been recorded is whole even
/// then.
[[nodiscard]] Result<DriveCounts> drive(Database& database, RequestFeed& feed, Recorder& recorder,
                                        const DriveOptions& options);

}  // namespace elapid
