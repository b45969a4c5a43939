// Databases on which a script runs transactions one statement at a time, and so decides the order
// of the steps of several sessions. `harness/scenario` plays on them.
//
//   StepDatabase   a database that holds what the script needs
//   StepSession    one of its connections: begins, carries out a statement, commits
//
// Each session has a thread of its own, because a statement may wait for another session's
// transaction. The database itself says whether a statement waits (all_wait()), not a timeout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/generate/request.h"

namespace elapid {

enum class TxnError : std::uint8_t;
struct DatabaseFact;
struct SqlSpelling;

/// A request to a session.
struct StepRequest {
  enum class Kind : std::uint8_t { kBegin, kOperation, kCommit, kRollback };
  Kind kind = Kind::kBegin;
  RequestStep operation = {};  ///< on a register or a list; the key is a number
  std::string sql = {};        ///< the operation in SQL, or another statement
};

/// The cells of a row as text; nothing for null.
using StepRow = std::vector<std::optional<std::string>>;

/// The result of a request.
struct StepReply {
  TxnError error = {};       ///< none: it succeeded
  std::string message = {};  ///< of an error: in the database's own words
  bool is_lost = false;      ///< the outcome is unknown, and the session cannot be used any more
  std::vector<StepRow> rows = {};
  std::uint64_t affected = 0;  ///< rows that a statement changed
};

class StepSession {
 public:
  StepSession() = default;
  StepSession(const StepSession&) = delete;
  StepSession& operator=(const StepSession&) = delete;
  virtual ~StepSession() = default;

  virtual StepReply carry_out(const StepRequest& request) = 0;
};

class StepDatabase {
 public:
  StepDatabase() = default;
  StepDatabase(const StepDatabase&) = delete;
  StepDatabase& operator=(const StepDatabase&) = delete;
  virtual ~StepDatabase() = default;

  /// Its form of SQL; null if it has no SQL, and takes only operations on registers and lists.
  [[nodiscard]] virtual const SqlSpelling* spelling() const = 0;

  /// Runs texts that make and fill tables, while no transaction is open; empties a database without
  /// SQL. Error: kUnreadable.
  virtual Status prepare(std::span<const std::string> sql) = 0;

  /// Opens the session of this number, and sets it up with these statements. Error: kUnreadable.
  virtual Result<std::unique_ptr<StepSession>> connect(std::size_t session,
                                                       std::span<const std::string> settings) = 0;

  /// Whether each of these sessions, which have open requests, waits for a lock of another one, and
  /// so cannot go on by itself. False while that is not certain; then ask again.
  virtual Result<bool> all_wait(std::span<const std::size_t> sessions) = 0;

  /// Called when a request returned, so that a session that waits in this process may try again.
  virtual void step_returned() {}

  /// Called when all sessions wait. A session that waits in this process then gives up. Otherwise
  /// the database ends a wait, when its own patience ends.
  virtual void nothing_follows() {}

  /// As Database::facts().
  [[nodiscard]] virtual std::vector<DatabaseFact> facts() = 0;
};

}  // namespace elapid
