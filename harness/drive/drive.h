// A run: sessions carry out requests on a database, and their results are recorded at once.
//
//   RequestFeed feed(workload.requests(options), seed, {.transactions = 10'000});
//   Recorder recorder(std::move(files), sessions);
//   const Result<DriveCounts> counts = drive(database, feed, recorder, {.sessions = 8});
//
// A session is a thread with a connection and a process number. It runs one transaction at a time.
// An indeterminate transaction ends its process, as in Jepsen: the session goes on with a new
// connection, and its process number grows by the number of sessions. A lost connection is opened
// again.
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
  std::optional<std::chrono::nanoseconds> time = {};  ///< no transaction begins after this time
  double rate = 0;  ///< transactions begun a second by all sessions; 0: no limit
  std::chrono::nanoseconds think = {};  ///< the pause of a session after each transaction
  std::uint64_t retries = 0;  ///< the most retries of a transaction that the database aborts
  /// `:isolation` by Request::level, to record for each transaction; empty: all ask for one level.
  /// Must outlive the recorder.
  std::span<const PlainField> levels = {};
  bool loads = false;       ///< a first transaction writes the source's initial values
  bool final_reads = true;  ///< at the end, all keys are read, one after another
  /// How long to wait for a database that takes no connections, before the run ends.
  std::chrono::milliseconds reconnect{30'000};
  /// Called once when all sessions have a connection, before the first event is recorded.
  std::function<void()> on_connected = {};
  /// Called 20 times a second by the thread that called drive(). If it returns true, no more
  /// transactions begin, except final reads.
  std::function<bool()> should_stop = {};
  /// Injects faults while the sessions work, but not during final reads; null: no faults. It writes
  /// the faults to the recorder's log after the logs of the sessions.
  FaultInjector* nemesis = nullptr;
};

/// The counts of a run.
struct DriveCounts {
  std::uint64_t transactions = 0;
  std::uint64_t operations = 0;
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;  ///< by the database or by clients
  std::uint64_t indeterminate = 0;
  std::uint64_t retried = 0;  ///< aborted attempts that were retried
  std::uint64_t reconnects = 0;
  bool has_read_all = false;                          ///< whether all final reads succeeded
  std::array<std::uint64_t, kTxnErrors> errors = {};  ///< by TxnError; includes retried attempts
  std::string failure = {};  ///< the message of the first error with is_failure(), of one session
  std::chrono::duration<double> seconds = {};  ///< without final reads
};

/// Whether an error says that a transaction could not run at all. False for a conflict with another
/// transaction, and if the client gave up.
[[nodiscard]] constexpr bool is_failure(TxnError error) {
  return error == TxnError::kConnection || error == TxnError::kTimeout || error == TxnError::kOther;
}

/// Carries out the requests of `feed`. Ends when there are no more, the time is up, should_stop()
/// returns true, or the record cannot be written. The caller finishes the record. Errors:
/// kUnreadable if the database takes no connections; those of faults. The recorded events are
/// complete also after an error.
[[nodiscard]] Result<DriveCounts> drive(Database& database, RequestFeed& feed, Recorder& recorder,
                                        const DriveOptions& options);

}  // namespace elapid
