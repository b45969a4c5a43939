// PostgreSQL, by libpq.
//
// Transactions begin at the requested level, by PostgreSQL's name for it. Its REPEATABLE READ
// is snapshot isolation, so there are two names for it, and each is checked by its own
// meaning.
//
// PostgreSQL gives no order of its own. Commit timestamps (pg_xact_commit_timestamp) are taken
// before a commit becomes visible, and not in that order, so they would report violations that
// never happened.
#include <libpq-fe.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <iterator>

#include "harness/drive/drivers/answer_deadline.h"
#include "harness/drive/plugin.h"
#include "harness/drive/sql/sql_database.h"
#include "harness/drive/sql/sql_steps.h"

namespace elapid {

namespace {

constexpr std::array kPostgresLevels = {
    DriverLevel{"read-committed", "begin isolation level read committed"},
    DriverLevel{"snapshot-isolation", "begin isolation level repeatable read"},
    DriverLevel{"repeatable-read", "the same, as its name promises"},
    DriverLevel{"serializable", "begin isolation level serializable"},
};

constexpr std::array kPostgresOwnParameters = {
    DriverParameter{"host", "", "Where it listens, or the folder of its socket"},
    DriverParameter{"port", "", ""},
    DriverParameter{"user", "", ""},
    DriverParameter{"password", "", ""},
};

constexpr auto kPostgresParameters =
    joined_parameters(kPostgresOwnParameters, kSqlParameters, kSqlLockParameters);

constexpr DriverInfo kPostgresInfo = {
    .name = "postgres",
    .address = "postgres:[//USER@HOST:PORT/DATABASE]",
    .about = "PostgreSQL; without an address a private server",
    .levels = kPostgresLevels,
    .parameters = kPostgresParameters,
    .has_rows = true,
    .has_level_by_txn = true,
};

constexpr SqlSpelling kPostgresSpelling = {
    .text_type = "text",
    .json_type = "jsonb",
    .table_options = "",
    .on_conflict = " on conflict (k) do update set",
    .new_value = "excluded.v",
    .names_old_value = true,
    .numbers_arguments = true,
    .integer = "cast(? as bigint)",
    .for_update = " for update",
    .append_text = [](const std::string& old,
                      const std::string& added) { return old + " || ',' || " + added; },
    .append_json = [](const std::string& old,
                      const std::string& added) { return old + " || " + added; },
    .has_returning = true,
};

struct FreeResult {
  void operator()(PGresult* result) const { PQclear(result); }
};

struct FreeConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};

using PostgresConnection = std::unique_ptr<PGconn, FreeConnection>;

/// https://www.postgresql.org/docs/15/errcodes-appendix.html
TxnError postgres_error(std::string_view state) {
  if (state == "40001" || state == "23505") {  // another insert of the key came first
    return TxnError::kConflict;
  }
  if (state == "40P01") {
    return TxnError::kDeadlock;
  }
  if (state == "55P03") {
    return TxnError::kLockTimeout;
  }
  if (state == "57014") {
    return TxnError::kTimeout;
  }
  if (state.starts_with("08") || state.starts_with("57P")) {
    return TxnError::kConnection;
  }
  return TxnError::kOther;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

class PostgresSession : public SqlSession {
 public:
  PostgresSession(PostgresConnection connection, std::chrono::milliseconds patience)
      : connection_(std::move(connection)), patience_(patience) {}

  SqlStatus command(const std::string& text) override {
    return PQsendQuery(connection_.get(), text.c_str()) == 1 ? answer() : lost();
  }

  SqlStatus query(const std::string& text, std::vector<StepRow>& rows) override {
    rows.clear();
    if (SqlStatus failed = command(text)) {
      return failed;
    }
    const int columns = PQnfields(result_.get());
    for (int row = 0; row < PQntuples(result_.get()); ++row) {
      StepRow& cells = rows.emplace_back();
      for (int column = 0; column < columns; ++column) {
        cells.push_back(PQgetisnull(result_.get(), row, column) == 1
                            ? std::nullopt
                            : std::optional<std::string>(PQgetvalue(result_.get(), row, column)));
      }
    }
    return {};
  }

  SqlStatus prepare(const std::vector<std::string>& texts) override {
    names_.clear();
    for (const std::string& text : texts) {
      names_.push_back("elapid_" + std::to_string(names_.size()));
      if (PQsendPrepare(connection_.get(), names_.back().c_str(), text.c_str(), 0, nullptr) != 1) {
        return lost();
      }
      if (SqlStatus failed = answer()) {
        return failed;
      }
    }
    return {};
  }

  SqlStatus execute(std::size_t statement, std::span<const SqlArgument> arguments) override {
    texts_.clear();
    texts_.reserve(arguments.size());
    values_.clear();
    for (const SqlArgument& argument : arguments) {
      const auto* number = std::get_if<std::int64_t>(&argument);
      texts_.push_back(number != nullptr ? std::to_string(*number)
                                         : std::string(std::get<std::string_view>(argument)));
      values_.push_back(texts_.back().c_str());
    }
    const bool is_sent = PQsendQueryPrepared(connection_.get(), names_[statement].c_str(),
                                             static_cast<int>(values_.size()), values_.data(),
                                             nullptr, nullptr, 0) == 1;
    return is_sent ? answer() : lost();
  }

  [[nodiscard]] std::size_t row_count() const override {
    return static_cast<std::size_t>(PQntuples(result_.get()));
  }

  [[nodiscard]] std::optional<std::string_view> cell(std::size_t row,
                                                     std::size_t column) const override {
    const int r = static_cast<int>(row);
    const int c = static_cast<int>(column);
    if (PQgetisnull(result_.get(), r, c) == 1) {
      return std::nullopt;
    }
    return std::string_view(PQgetvalue(result_.get(), r, c),
                            static_cast<std::size_t>(PQgetlength(result_.get(), r, c)));
  }

  [[nodiscard]] std::uint64_t affected() const override {
    return std::strtoull(PQcmdTuples(result_.get()), nullptr, 10);
  }

 private:
  /// Reads all results of the request. No call of the library waits, since a server may stop
  /// answering at any time.
  SqlStatus answer() {
    const AnswerDeadline deadline(patience_);
    SqlStatus status;
    while (true) {
      if (SqlStatus failed = receive(deadline)) {
        return failed;
      }
      std::unique_ptr<PGresult, FreeResult> result{PQgetResult(connection_.get())};
      if (result == nullptr) {
        return PQstatus(connection_.get()) == CONNECTION_OK ? status : lost();
      }
      if (SqlStatus failed = failure_of(result.get()); failed && !status) {
        status = std::move(failed);
      }
      if (is_copy(result.get())) {
        return status;  // the library would return it again and again
      }
      result_ = std::move(result);
    }
  }

  /// Waits until PQgetResult() has a result.
  SqlStatus receive(const AnswerDeadline& deadline) {
    while (!deadline.has_passed()) {
      const int unsent = PQflush(connection_.get());
      if (unsent < 0) {
        return lost();
      }
      if (unsent == 0 && PQisBusy(connection_.get()) == 0) {
        return {};
      }
      const int events = unsent == 0 ? POLLIN : POLLIN | POLLOUT;
      if (deadline.wait(PQsocket(connection_.get()), events) != 0 &&
          PQconsumeInput(connection_.get()) != 1) {
        return lost();
      }
    }
    return SqlFailure{.error = TxnError::kTimeout, .message = "no answer", .is_lost = true};
  }

  static bool is_copy(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
  }

  static SqlStatus failure_of(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) {
      return {};
    }
    if (is_copy(result)) {
      return SqlFailure{.message = "COPY needs a client that copies", .is_lost = true};
    }
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* const words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const TxnError error = state != nullptr ? postgres_error(state) : TxnError::kConnection;
    return SqlFailure{
        .error = error,
        .message = words != nullptr ? words : first_line(PQresultErrorMessage(result)),
        .is_lost = error == TxnError::kConnection};
  }

  SqlStatus lost() {
    return SqlFailure{.error = TxnError::kConnection,
                      .message = first_line(PQerrorMessage(connection_.get())),
                      .is_lost = true};
  }

  PostgresConnection connection_;
  std::chrono::milliseconds patience_;
  std::vector<std::string> names_ = {};  // of prepared statements
  std::vector<std::string> texts_ = {};  // of arguments
  std::vector<const char*> values_ = {};
  std::unique_ptr<PGresult, FreeResult> result_ = {};
};

class PostgresBinding : public SqlBinding {
 public:
  explicit PostgresBinding(const DatabaseRequest& request)
      : level_(request.level),
        lock_patience_(request.patience),
        answer_patience_(request.answer_patience()),
        connect_patience_(request.connect_patience) {
    if (!request.uri.address.empty()) {
      parameters_.emplace_back("dbname", "postgresql:" + request.uri.encoded_address);
    }
    for (const DriverParameter& own : kPostgresOwnParameters) {
      if (const std::string_view value = request.uri.parameter(own.name, ""); !value.empty()) {
        parameters_.emplace_back(own.name, value);
      }
    }
  }

  [[nodiscard]] const SqlSpelling& spelling() const override { return kPostgresSpelling; }

  [[nodiscard]] Result<std::unique_ptr<SqlSession>> connect() override {
    std::vector<const char*> names;
    std::vector<const char*> values;
    for (const auto& [name, value] : parameters_) {
      names.push_back(name.c_str());
      values.push_back(value.c_str());
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    PostgresConnection connection(PQconnectStartParams(names.data(), values.data(), 1));
    if (!is_let_in(connection.get())) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "PostgreSQL: " +
                              (PQstatus(connection.get()) == CONNECTION_BAD
                                   ? first_line(PQerrorMessage(connection.get()))
                                   : "no connection within " +
                                         std::to_string(connect_patience_.count()) + " ms")};
    }
    PQsetnonblocking(connection.get(), 1);
    PQsetNoticeProcessor(
        connection.get(), [](void*, const char*) {}, nullptr);
    auto session = std::make_unique<PostgresSession>(std::move(connection), answer_patience_);
    if (const SqlStatus failed =
            session->command("set lock_timeout = " + std::to_string(lock_patience_.count()))) {
      return Error{.kind = ErrorKind::kUnreadable, .message = "PostgreSQL: " + failed->message};
    }
    return std::unique_ptr<SqlSession>(std::move(session));
  }

  [[nodiscard]] SqlBegin begin(const std::string& level) const override {
    return {.any = "begin isolation level " + level_words(level)};
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fact_queries() const override {
    return {{"database", "select 'PostgreSQL'"},
            {"version", "select split_part(current_setting('server_version'), ' ', 1)"},
            {"synchronous_commit", "select current_setting('synchronous_commit')"},
            {"fsync", "select current_setting('fsync')"}};
  }

  [[nodiscard]] std::string number_query() const override { return "select pg_backend_pid()"; }

  [[nodiscard]] std::string waiting_query(const std::string& numbers) const override {
    return "select pid, unnest(pg_blocking_pids(pid) || pg_safe_snapshot_blocking_pids(pid)) "
           "from unnest(array[" +
           numbers + "]) as pid";
  }

  /// A session looks for a deadlock once, after waiting for so long.
  [[nodiscard]] std::chrono::milliseconds deadlocks_are_found_after() const override {
    return std::chrono::milliseconds(10);
  }

  [[nodiscard]] std::vector<std::string> step_settings() const override {
    return {"set deadlock_timeout = '5ms'",
            "set session characteristics as transaction isolation level " + level_words(level_)};
  }

  [[nodiscard]] std::string step_begin() const override { return "begin"; }

 private:
  /// The server's name of a level.
  static std::string level_words(const std::string& level) {
    const bool is_snapshot = level == "snapshot-isolation" || level == "repeatable-read";
    return level == "serializable" ? "serializable"
           : is_snapshot           ? "repeatable read"
                                   : "read committed";
  }

  /// Completes a connection that was begun; null if memory ran out.
  [[nodiscard]] bool is_let_in(PGconn* connection) const {
    const AnswerDeadline deadline(connect_patience_);
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (PQstatus(connection) != CONNECTION_BAD && next != PGRES_POLLING_OK) {
      const int events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
      if (deadline.wait(PQsocket(connection), events) == 0) {
        return false;
      }
      next = PQconnectPoll(connection);
    }
    return next == PGRES_POLLING_OK;
  }

  std::string level_;
  std::chrono::milliseconds lock_patience_;
  std::chrono::milliseconds answer_patience_;
  std::chrono::milliseconds connect_patience_;
  std::vector<std::pair<std::string, std::string>> parameters_ = {};
};

/// libpq parses the text behind the slashes. Error kUsage if there are no slashes.
Status check_postgres_address(const DatabaseUri& uri) {
  return uri.address.empty() || uri.address.starts_with("//")
             ? Status()
             : usage_error("expected postgres://USER@HOST:PORT/DATABASE");
}

class PostgresDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kPostgresInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    ELAPID_RETURN_IF_ERROR(check_postgres_address(request.uri));
    return SqlDatabase::open(std::make_unique<PostgresBinding>(request), request);
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> /*news*/) const override {
    ELAPID_RETURN_IF_ERROR(check_postgres_address(request.uri));
    return SqlStepDatabase::open(std::make_unique<PostgresBinding>(request));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::PostgresDriver)
