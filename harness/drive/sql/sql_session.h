// The operations that a database with SQL offers to the client in this folder: a thin binding of
// the database's own library. The client is the same for all databases.
//
//   SqlBinding   knows how to reach the database
//   SqlSession   one connection of it: prepares texts once, executes them often
//   SqlConnection (sql_connection.h), SqlDatabase (sql_database.h)   the rest, written once
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"
#include "harness/drive/sql/sql_spelling.h"

namespace elapid {

/// Why a statement failed.
struct SqlFailure {
  TxnError error = TxnError::kOther;
  std::string message = {};
  /// The database gave no answer. The fate of a commit is unknown, and the session cannot be used
  /// any more.
  bool is_lost = false;
};

/// Nothing: it succeeded.
using SqlStatus = std::optional<SqlFailure>;

using SqlArgument = std::variant<std::int64_t, std::string_view>;

class SqlSession {
 public:
  SqlSession() = default;
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;
  virtual ~SqlSession() = default;

  /// Carries out a text without arguments, of which no rows are wanted: `commit`.
  virtual SqlStatus command(const std::string& text) = 0;

  /// Makes texts with arguments ready, in the dialect's spelling; called once.
  virtual SqlStatus prepare(const std::vector<std::string>& texts) = 0;

  /// Carries out the i-th of these. Takes the place of the answer before.
  virtual SqlStatus execute(std::size_t statement, std::span<const SqlArgument> arguments) = 0;

  /// Carries out a text without arguments, and takes all cells of all its rows.
  virtual SqlStatus query(const std::string& text, std::vector<StepRow>& rows) = 0;

  // The answer of execute().
  [[nodiscard]] virtual std::size_t row_count() const = 0;
  /// A column of a row, as text; nothing where it is null. Lives until the next statement.
  [[nodiscard]] virtual std::optional<std::string_view> cell(std::size_t row,
                                                             std::size_t column) const = 0;
  /// Rows that an update has found; of query() too.
  [[nodiscard]] virtual std::uint64_t affected() const = 0;
};

/// The texts that begin a transaction at a level.
struct SqlBegin {
  std::string any = {};
  std::string only_reads = {};  ///< where it writes nothing; empty: the same
  /// What goes before if the session's last transaction was at another level.
  std::vector<std::string> settings = {};

  [[nodiscard]] const std::string& of(const DriverTxn& txn) const {
    return txn.only_reads() && !only_reads.empty() ? only_reads : any;
  }
};

class SqlBinding {
 public:
  SqlBinding() = default;
  SqlBinding(const SqlBinding&) = delete;
  SqlBinding& operator=(const SqlBinding&) = delete;
  virtual ~SqlBinding() = default;

  [[nodiscard]] virtual const SqlSpelling& spelling() const = 0;

  /// A session of its own, set up for the run's level and patience; safe from any thread. Error
  /// kUnreadable.
  [[nodiscard]] virtual Result<std::unique_ptr<SqlSession>> connect() = 0;

  /// Of a transaction at one of the driver's levels.
  [[nodiscard]] virtual SqlBegin begin(const std::string& level) const = 0;

  /// Names of facts for the record, each with a query of one value: `{"version", "select
  /// version()"}`.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> fact_queries() const = 0;

  // For sessions of a server that go a step at a time (sql_steps.h).

  /// A query of the number by which the server knows a session.
  [[nodiscard]] virtual std::string number_query() const { return {}; }

  /// A query of pairs: of the sessions with these numbers, a comma between them, each that waits
  /// for a lock, and the number of one that it waits for, or 0 where the server does not say.
  [[nodiscard]] virtual std::string waiting_query(const std::string& /*numbers*/) const {
    return {};
  }

  /// How long the server may answer that query from memory.
  [[nodiscard]] virtual std::chrono::milliseconds waiting_is_as_old_as() const { return {}; }

  /// How long a session must have waited until the server would have ended it for a deadlock: who
  /// waits longer is not the one to close a circle.
  [[nodiscard]] virtual std::chrono::milliseconds deadlocks_are_found_after() const { return {}; }

  /// Statements that a session begins with if the server lets it.
  [[nodiscard]] virtual std::vector<std::string> step_settings() const { return {}; }

  /// What begins its transactions, at the run's level unless a setting of the session's own says
  /// another one.
  [[nodiscard]] virtual std::string step_begin() const = 0;
};

}  // namespace elapid
