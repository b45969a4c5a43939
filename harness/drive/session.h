// One session of a run: a connection, a process, and transactions one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/drive.h"
#include "harness/drive/driver.h"
#include "harness/drive/recorder.h"
#include "harness/drive/request_feed.h"

namespace elapid {

class DriveSession {
 public:
  /// All arguments must outlive this. `number`: the first process.
  DriveSession(std::size_t number, Database& database, RequestFeed& feed, Recorder& recorder,
               const DriveOptions& options);

  [[nodiscard]] bool is_connected() const { return connection_ != nullptr; }

  /// Error: kUnreadable if the database takes no connection.
  Status connect();

  /// The request to carry out next; requires a connection.
  Request& request() { return request_; }

  /// Carries it out with the allowed retries, and records it. Returns its fate.
  TxnFate carry_out();

  [[nodiscard]] const DriveCounts& counts() const { return counts_; }

 private:
  TxnOutcome attempt();
  void record_invocation();
  void record_completion(const TxnOutcome& outcome);
  void set_head(EventType type, PlainEvent& event) const;
  void collect_mops(bool with_results);

  std::size_t number_;
  Database& database_;
  RequestFeed& feed_;
  EventLog& log_;
  const DriveOptions& options_;
  std::int64_t process_;
  std::unique_ptr<Connection> connection_ = {};
  Request request_ = {};
  DriverTxn txn_;
  std::vector<PlainMop> mops_ = {};
  DriveCounts counts_ = {};
};

}  // namespace elapid
