// Databases whose transactions a script carries out one statement at a time, so that it decides in
// which order those of several sessions happen: what `harness/scenario` plays on.
//
//   StepDatabase   a database that holds what the script needs
//   StepSession    one of its connections: begins, carries out a statement, commits
//
// Each session is used by a thread of its own, because a statement may wait for another session's
// transaction. Whether it does is the database's own word (all_wait()), never a guess from time.
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

/// What a session is asked to do.
struct StepRequest {
  enum class Kind : std::uint8_t { kBegin, kOperation, kCommit, kRollback };
  Kind kind = Kind::kBegin;
  RequestStep operation = {};  ///< on a register or a list, by number of its key
  std::string sql = {};        ///< the same in SQL, or what is no such operation
};

/// The cells of a row as text; nothing where they are null.
using StepRow = std::vector<std::optional<std::string>>;

/// What it came to.
struct StepReply {
  TxnError error = {};       ///< none: it succeeded
  std::string message = {};  ///< of an error: the database's own words
  bool is_lost = false;      ///< its fate is unknown, and the session cannot be used any more
  std::vector<StepRow> rows = {};
  std::uint64_t affected = 0;  ///< rows that a statement has changed
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

  /// How it speaks SQL; null if it does not, and takes operations on registers and lists alone.
  [[nodiscard]] virtual const SqlSpelling* spelling() const = 0;

  /// Carries out texts that make and fill tables, while no transaction is open; a database without
  /// SQL is emptied. Error kUnreadable.
  virtual Status prepare(std::span<const std::string> sql) = 0;

  /// A session of this number, after these statements, which set it up. Error kUnreadable.
  virtual Result<std::unique_ptr<StepSession>> connect(std::size_t session,
                                                       std::span<const std::string> settings) = 0;

  /// Whether each of these sessions, whose request has not returned, waits for what another one
  /// holds, so that it cannot go on by itself. False as long as that is not certain; ask again.
  virtual Result<bool> all_wait(std::span<const std::size_t> sessions) = 0;

  /// A request has returned: a session that waits in this process may look again.
  virtual void step_returned() {}

  /// No session does anything until one of those that wait returns: one of those that wait in this
  /// process gives up. Others are ended by the database, when its patience does.
  virtual void nothing_follows() {}

  /// As Database::facts().
  [[nodiscard]] virtual std::vector<DatabaseFact> facts() = 0;
};

}  // namespace elapid
