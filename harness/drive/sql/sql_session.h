// The operations that a database with SQL offers to the client in this folder: a thin binding of
// the database's own library. One client serves all databases.
//
//   SqlBinding   knows how to reach the database
//   SqlSession   one connection: prepares texts once, executes them often
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

/// The reason why a statement failed.
struct SqlFailure {
  TxnError error = TxnError::kOther;
  std::string message = {};
  /// Whether the database gave no answer. Then the outcome of a commit is unknown, and the session
  /// cannot be used any more.
  bool is_lost = false;
};

/// Nothing: success.
using SqlStatus = std::optional<SqlFailure>;

using SqlArgument = std::variant<std::int64_t, std::string_view>;

class SqlSession {
 public:
  SqlSession() = default;
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;
  virtual ~SqlSession() = default;

  /// Runs a text without arguments and without needed rows: `commit`.
  virtual SqlStatus command(const std::string& text) = 0;

  /// Prepares texts with arguments, in the dialect's spelling; called once.
  virtual SqlStatus prepare(const std::vector<std::string>& texts) = 0;

  /// Runs the i-th prepared text. Replaces the previous answer.
  virtual SqlStatus execute(std::size_t statement, std::span<const SqlArgument> arguments) = 0;

  /// Runs a text without arguments, and returns all cells of all rows.
  virtual SqlStatus query(const std::string& text, std::vector<StepRow>& rows) = 0;

  // These give the answer of execute().
  [[nodiscard]] virtual std::size_t row_count() const = 0;
  /// A column of a row, as text; nothing for null. Valid until the next statement.
  [[nodiscard]] virtual std::optional<std::string_view> cell(std::size_t row,
                                                             std::size_t column) const = 0;
  /// Rows that an update found; also of query().
  [[nodiscard]] virtual std::uint64_t affected() const = 0;
};

/// The texts that begin a transaction at a level.
struct SqlBegin {
  std::string any = {};
  std::string only_reads = {};  ///< for a transaction without writes; empty: the same
  /// Runs first if the session's last transaction had another level.
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

  /// A new session, set up for the run's level and patience; thread-safe. Error:
  /// kUnreadable.
  [[nodiscard]] virtual Result<std::unique_ptr<SqlSession>> connect() = 0;

  /// The begin of a transaction at one of the driver's levels.
  [[nodiscard]] virtual SqlBegin begin(const std::string& level) const = 0;

  /// Names of facts for the record, each with a query for its value: `{"version", "select
  /// version()"}`.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> fact_queries() const = 0;

  // For sessions of a server that go a step at a time (sql_steps.h).

  /// A query for the number of a session in the server.
  [[nodiscard]] virtual std::string number_query() const { return {}; }

  /// A query for the sessions among `numbers` (separated by commas) that wait for a lock: pairs of
  /// a session and one that it waits for, or 0 if the server does not say.
  [[nodiscard]] virtual std::string waiting_query(const std::string& /*numbers*/) const {
    return {};
  }

  /// The longest time for which the server may answer that query from memory.
  [[nodiscard]] virtual std::chrono::milliseconds waiting_is_as_old_as() const { return {}; }

  /// The time after which the server ends a session that closes a deadlock. A session that has
  /// waited longer is not the one that closes a circle.
  [[nodiscard]] virtual std::chrono::milliseconds deadlocks_are_found_after() const { return {}; }

  /// Statements that a session begins with, if the server allows them.
  [[nodiscard]] virtual std::vector<std::string> step_settings() const { return {}; }

  /// The text that begins its transactions, at the run's level unless the session's own setting
  /// gives another one.
  [[nodiscard]] virtual std::string step_begin() const = 0;
};

}  // namespace elapid
