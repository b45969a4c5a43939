// MariaDB and MySQL, by libmariadb.
//
// `snapshot-isolation` is MariaDB's REPEATABLE READ with innodb_snapshot_isolation, which refuses
// to write rows changed since the snapshot. Without this option, REPEATABLE READ loses updates.
// Tables are InnoDB's. A wait for a lock is given up after whole seconds. The server then undoes
// only the statement, so the client rolls back.
#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "harness/drive/drivers/answer_deadline.h"
#include "harness/drive/drivers/host_and_port.h"
#include "harness/drive/plugin.h"
#include "harness/drive/sql/sql_database.h"
#include "harness/drive/sql/sql_steps.h"

namespace elapid {

namespace {

constexpr std::array kMysqlLevels = {
    DriverLevel{"repeatable-read", "set transaction isolation level repeatable read"},
    DriverLevel{"read-uncommitted", "set transaction isolation level read uncommitted"},
    DriverLevel{"read-committed", "set transaction isolation level read committed"},
    DriverLevel{"snapshot-isolation", "repeatable read, with innodb_snapshot_isolation"},
    DriverLevel{"serializable", "set transaction isolation level serializable"},
};

constexpr std::array kMysqlOwnParameters = {
    DriverParameter{"socket", "", "The socket of a local server"},
    DriverParameter{"option-file", "", "Its group [client] says who connects, as ~/.my.cnf"},
};

constexpr auto kMysqlParameters =
    joined_parameters(kMysqlOwnParameters, kSqlParameters, kSqlLockParameters);

constexpr DriverInfo kMysqlInfo = {
    .name = "mysql",
    .address = "mysql:[//USER:PASSWORD@HOST:PORT/DATABASE]",
    .about = "MariaDB or MySQL; without an address a private MariaDB",
    .levels = kMysqlLevels,
    .parameters = kMysqlParameters,
    .has_rows = true,
    .has_level_by_txn = true,
};

constexpr SqlSpelling kMysqlSpelling = {
    .text_type = "longtext",
    .json_type = "json",
    .table_options = " engine = InnoDB",
    .on_conflict = " on duplicate key update",
    .new_value = "values(v)",
    .for_update = " for update",
    .append_text =
        [](const std::string& old, const std::string& added) {
          return "concat(" + old + ", ',', " + added + ")";
        },
    .append_json =
        [](const std::string& old, const std::string& added) {
          return "json_merge_preserve(" + old + ", " + added + ")";
        },
};

TxnError mysql_error_of(unsigned number) {
  switch (number) {
    case ER_LOCK_DEADLOCK:
      return TxnError::kDeadlock;
    case ER_LOCK_WAIT_TIMEOUT:
      return TxnError::kLockTimeout;
    case ER_CHECKREAD:  // "Record has changed since last read": innodb_snapshot_isolation
    case ER_DUP_ENTRY:  // another insert of the key came first
      return TxnError::kConflict;
    case ER_SERVER_SHUTDOWN:
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST:
    case CR_CONNECTION_ERROR:
    case CR_CONN_HOST_ERROR:
    case CR_SERVER_LOST_EXTENDED:
      return TxnError::kConnection;
    default:
      return TxnError::kOther;
  }
}

SqlStatus mysql_failure(unsigned number, const char* words) {
  const TxnError error = mysql_error_of(number);
  return SqlFailure{.error = error, .message = words, .is_lost = error == TxnError::kConnection};
}

struct CloseMysql {
  void operator()(MYSQL* connection) const { mysql_close(connection); }
};

struct CloseStatement {
  void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
};

struct FreeMysqlResult {
  void operator()(MYSQL_RES* result) const { mysql_free_result(result); }
};

using MysqlConnection = std::unique_ptr<MYSQL, CloseMysql>;
using MysqlStatement = std::unique_ptr<MYSQL_STMT, CloseStatement>;

/// Runs an operation of the library without waiting beyond the deadline. `start` begins it, and
/// `go_on` continues it after news of the server. Returns the operation's result.
template <typename Outcome, typename Start, typename GoOn>
Outcome carried_out(MYSQL* connection, const AnswerDeadline& deadline, Start start, GoOn go_on) {
  Outcome outcome = {};
  for (int waits_for = start(&outcome); waits_for != 0;) {
    const int events = ((waits_for & MYSQL_WAIT_READ) != 0 ? POLLIN : 0) |
                       ((waits_for & MYSQL_WAIT_WRITE) != 0 ? POLLOUT : 0);
    const int news = deadline.wait(mysql_get_socket(connection), events);
    // The operation itself reports errors.
    const int heard = ((news & ~POLLOUT) != 0 ? waits_for & MYSQL_WAIT_READ : 0) |
                      ((news & ~POLLIN) != 0 ? waits_for & MYSQL_WAIT_WRITE : 0);
    waits_for = go_on(&outcome, heard == 0 ? MYSQL_WAIT_TIMEOUT : heard);
  }
  return outcome;
}

class MysqlSession : public SqlSession {
 public:
  MysqlSession(MysqlConnection connection, std::chrono::milliseconds patience)
      : connection_(std::move(connection)), patience_(patience) {}

  SqlStatus command(const std::string& text) override {
    const AnswerDeadline deadline(patience_);
    MYSQL* const mysql = connection_.get();
    const int failed = carried_out<int>(
        mysql, deadline,
        [&](int* code) { return mysql_real_query_start(code, mysql, text.data(), text.size()); },
        [&](int* code, int heard) { return mysql_real_query_cont(code, mysql, heard); });
    return failed == 0 ? SqlStatus() : failure(deadline);
  }

  SqlStatus query(const std::string& text, std::vector<StepRow>& rows) override {
    rows.clear();
    if (SqlStatus failed = command(text)) {
      return failed;
    }
    MYSQL* const mysql = connection_.get();
    affected_ = mysql_affected_rows(mysql);
    const AnswerDeadline deadline(patience_);
    const std::unique_ptr<MYSQL_RES, FreeMysqlResult> result(carried_out<MYSQL_RES*>(
        mysql, deadline, [&](MYSQL_RES** found) { return mysql_store_result_start(found, mysql); },
        [&](MYSQL_RES** found, int heard) {
          return mysql_store_result_cont(found, mysql, heard);
        }));
    if (result == nullptr) {
      return mysql_errno(mysql) == 0 ? SqlStatus() : failure(deadline);
    }
    const unsigned columns = mysql_num_fields(result.get());
    while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
      StepRow& cells = rows.emplace_back();
      for (unsigned column = 0; column < columns; ++column) {
        cells.push_back(row[column] == nullptr ? std::nullopt
                                               : std::optional<std::string>(row[column]));
      }
    }
    return {};
  }

  SqlStatus prepare(const std::vector<std::string>& texts) override {
    statements_.clear();
    for (const std::string& text : texts) {
      MysqlStatement statement(mysql_stmt_init(connection_.get()));
      const AnswerDeadline deadline(patience_);
      const int failed = carried_out<int>(
          connection_.get(), deadline,
          [&](int* code) {
            return mysql_stmt_prepare_start(code, statement.get(), text.data(), text.size());
          },
          [&](int* code, int heard) {
            return mysql_stmt_prepare_cont(code, statement.get(), heard);
          });
      if (failed != 0) {
        return failure_of(statement.get(), deadline);
      }
      statements_.push_back(std::move(statement));
    }
    return {};
  }

  SqlStatus execute(std::size_t number, std::span<const SqlArgument> arguments) override {
    MYSQL_STMT* const statement = statements_[number].get();
    cells_.clear();
    rows_ = 0;
    bind(arguments);
    const AnswerDeadline deadline(patience_);
    if ((!binds_.empty() && mysql_stmt_bind_param(statement, binds_.data()) != 0) ||
        carried_out<int>(
            connection_.get(), deadline,
            [&](int* code) { return mysql_stmt_execute_start(code, statement); },
            [&](int* code, int heard) {
              return mysql_stmt_execute_cont(code, statement, heard);
            }) != 0) {
      return failure_of(statement, deadline);
    }
    affected_ = mysql_stmt_affected_rows(statement);
    return mysql_stmt_field_count(statement) > 0 ? fetch(statement, deadline) : SqlStatus();
  }

  [[nodiscard]] std::size_t row_count() const override { return rows_; }

  [[nodiscard]] std::optional<std::string_view> cell(std::size_t row,
                                                     std::size_t column) const override {
    return cells_[row * (cells_.size() / rows_) + column];
  }

  [[nodiscard]] std::uint64_t affected() const override { return affected_; }

 private:
  static SqlStatus no_answer() {
    return SqlFailure{.error = TxnError::kTimeout, .message = "no answer", .is_lost = true};
  }

  [[nodiscard]] SqlStatus failure(const AnswerDeadline& deadline) const {
    return deadline.has_passed()
               ? no_answer()
               : mysql_failure(mysql_errno(connection_.get()), mysql_error(connection_.get()));
  }

  static SqlStatus failure_of(MYSQL_STMT* statement, const AnswerDeadline& deadline) {
    return deadline.has_passed()
               ? no_answer()
               : mysql_failure(mysql_stmt_errno(statement), mysql_stmt_error(statement));
  }

  /// The library takes arguments by address and does not write to them.
  void bind(std::span<const SqlArgument> arguments) {
    numbers_.assign(arguments.size(), 0);
    binds_.assign(arguments.size(), MYSQL_BIND{});
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (const auto* number = std::get_if<std::int64_t>(&arguments[i])) {
        numbers_[i] = *number;
        binds_[i].buffer_type = MYSQL_TYPE_LONGLONG;
        binds_[i].buffer = &numbers_[i];
      } else {
        const std::string_view text = std::get<std::string_view>(arguments[i]);
        binds_[i].buffer_type = MYSQL_TYPE_STRING;
        binds_[i].buffer = const_cast<char*>(text.data());
        binds_[i].buffer_length = text.size();
      }
    }
  }

  /// Reads all rows, so that the connection is free for the next statement.
  SqlStatus fetch(MYSQL_STMT* statement, const AnswerDeadline& deadline) {
    const std::size_t width = mysql_stmt_field_count(statement);
    std::vector<MYSQL_BIND> columns(width);
    std::vector<unsigned long> lengths(width);
    std::vector<my_bool> nulls(width);
    for (std::size_t i = 0; i < width; ++i) {
      columns[i].buffer_type = MYSQL_TYPE_STRING;
      columns[i].length = &lengths[i];
      columns[i].is_null = &nulls[i];
    }
    mysql_stmt_bind_result(statement, columns.data());
    const int failed = carried_out<int>(
        connection_.get(), deadline,
        [&](int* code) { return mysql_stmt_store_result_start(code, statement); },
        [&](int* code, int heard) { return mysql_stmt_store_result_cont(code, statement, heard); });
    if (failed != 0) {
      return failure_of(statement, deadline);
    }
    for (int status = 0; (status = mysql_stmt_fetch(statement)) != MYSQL_NO_DATA;) {
      if (status == 1) {
        return failure_of(statement, deadline);
      }
      ++rows_;
      for (std::size_t i = 0; i < width; ++i) {
        std::optional<std::string>& cell = cells_.emplace_back();
        if (nulls[i] == 0) {
          cell.emplace(lengths[i], '\0');
          MYSQL_BIND whole = columns[i];
          whole.buffer = cell->data();
          whole.buffer_length = lengths[i];
          mysql_stmt_fetch_column(statement, &whole, static_cast<unsigned>(i), 0);
        }
      }
    }
    mysql_stmt_free_result(statement);
    return {};
  }

  MysqlConnection connection_;
  std::chrono::milliseconds patience_;
  std::vector<MysqlStatement> statements_ = {};
  std::vector<MYSQL_BIND> binds_ = {};
  std::vector<std::int64_t> numbers_ = {};
  std::vector<std::optional<std::string>> cells_ = {};  // of all rows
  std::size_t rows_ = 0;
  std::uint64_t affected_ = 0;
};

/// `//me:secret@host:3306/test`, each part but the slashes being optional.
struct MysqlAddress {
  std::string user = {};
  std::string password = {};
  HostAndPort server = {};
  std::string database = {};
};

Result<MysqlAddress> parse_mysql_address(std::string_view text) {
  MysqlAddress address;
  if (text.empty()) {
    return address;
  }
  if (!text.starts_with("//")) {
    return usage_error("expected mysql://USER:PASSWORD@HOST:PORT/DATABASE");
  }
  text.remove_prefix(2);
  const std::size_t who = text.rfind('@');
  const std::size_t slash =
      std::min(text.find('/', who == std::string_view::npos ? 0 : who), text.size());
  address.database = text.substr(std::min(slash + 1, text.size()));
  std::string_view place = text.substr(0, slash);
  if (who != std::string_view::npos) {
    const std::string_view user = place.substr(0, who);
    const std::size_t colon = std::min(user.find(':'), user.size());
    address.user = user.substr(0, colon);
    address.password = user.substr(std::min(colon + 1, user.size()));
    place.remove_prefix(who + 1);
  }
  ELAPID_ASSIGN_OR_RETURN(address.server, parse_host_and_port(place));
  return address;
}

class MysqlBinding : public SqlBinding {
 public:
  MysqlBinding(MysqlAddress address, const DatabaseRequest& request)
      : address_(std::move(address)),
        socket_(request.uri.parameter("socket", "")),
        option_file_(request.uri.parameter("option-file", "")),
        level_(request.level),
        lock_patience_(request.patience),
        answer_patience_(lock_seconds() + request.answer_patience() - request.patience),
        connect_patience_(request.connect_patience) {}

  [[nodiscard]] const SqlSpelling& spelling() const override { return kMysqlSpelling; }

  [[nodiscard]] Result<std::unique_ptr<SqlSession>> connect() override {
    MysqlConnection connection(mysql_init(nullptr));
    set_options(connection.get());
    const AnswerDeadline deadline(connect_patience_);
    const auto or_none = [](const std::string& text) {
      return text.empty() ? nullptr : text.c_str();
    };
    MYSQL* const mysql = connection.get();
    const MYSQL* const connected = carried_out<MYSQL*>(
        mysql, deadline,
        [&](MYSQL** made) {
          return mysql_real_connect_start(
              made, mysql, or_none(address_.server.host), or_none(address_.user),
              or_none(address_.password), or_none(address_.database),
              address_.server.port.value_or(0), or_none(socket_), CLIENT_FOUND_ROWS);
        },
        [&](MYSQL** made, int heard) { return mysql_real_connect_cont(made, mysql, heard); });
    if (connected == nullptr) {
      return Error{
          .kind = ErrorKind::kUnreadable,
          .message = "MariaDB: " + (deadline.has_passed()
                                        ? "no connection within " +
                                              std::to_string(connect_patience_.count()) + " ms"
                                        : std::string(mysql_error(mysql)))};
    }
    auto session = std::make_unique<MysqlSession>(std::move(connection), answer_patience_);
    for (const std::string& text : settings()) {
      if (const SqlStatus failed = session->command(text)) {
        return Error{.kind = ErrorKind::kUnreadable, .message = "MariaDB: " + failed->message};
      }
    }
    return std::unique_ptr<SqlSession>(std::move(session));
  }

  [[nodiscard]] SqlBegin begin(const std::string& level) const override {
    return {.any = step_begin(), .settings = level_settings(level)};
  }

  [[nodiscard]] std::string step_begin() const override { return "start transaction"; }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fact_queries() const override {
    return {{"database", "select if(version() like '%MariaDB%', 'MariaDB', 'MySQL')"},
            {"version", "select substring_index(version(), '-', 1)"},
            {"transaction_isolation", "select @@tx_isolation"},
            {"innodb_flush_log_at_trx_commit", "select @@innodb_flush_log_at_trx_commit"}};
  }

  [[nodiscard]] std::string number_query() const override { return "select connection_id()"; }

  [[nodiscard]] std::string waiting_query(const std::string& numbers) const override {
    return "select waits.trx_mysql_thread_id, holds.trx_mysql_thread_id"
           " from information_schema.innodb_lock_waits as pairs"
           " join information_schema.innodb_trx as waits on waits.trx_id = requesting_trx_id"
           " join information_schema.innodb_trx as holds on holds.trx_id = blocking_trx_id"
           " where waits.trx_mysql_thread_id in (" +
           numbers + ")";
  }

  /// InnoDB refills these tables if they have not been read for a tenth of a second.
  [[nodiscard]] std::chrono::milliseconds waiting_is_as_old_as() const override {
    return std::chrono::milliseconds(101);
  }

 private:
  /// The patience in whole seconds, which is what the server accepts.
  [[nodiscard]] std::chrono::seconds lock_seconds() const {
    return std::max(std::chrono::seconds(1),
                    std::chrono::ceil<std::chrono::seconds>(lock_patience_));
  }

  /// Calls do not wait by themselves; the time-outs are for calls that close a connection. Servers
  /// may not ask for files of this machine.
  void set_options(MYSQL* connection) const {
    const auto seconds =
        static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(answer_patience_).count());
    const unsigned no = 0;
    mysql_options(connection, MYSQL_OPT_NONBLOCK, nullptr);
    mysql_options(connection, MYSQL_OPT_READ_TIMEOUT, &seconds);
    mysql_options(connection, MYSQL_OPT_WRITE_TIMEOUT, &seconds);
    mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &no);
    if (!option_file_.empty()) {
      mysql_options(connection, MYSQL_READ_DEFAULT_FILE, option_file_.c_str());
      mysql_options(connection, MYSQL_READ_DEFAULT_GROUP, "client");
    }
  }

  static std::vector<std::string> level_settings(const std::string& level) {
    std::string words = level == "snapshot-isolation" ? "repeatable-read" : level;
    std::ranges::replace(words, '-', ' ');
    std::vector<std::string> texts = {"set session transaction isolation level " + words};
    if (level == "snapshot-isolation") {
      texts.emplace_back("set session innodb_snapshot_isolation = on");
    } else if (level == "repeatable-read") {
      // If the server supports the option, it decides what this level is.
      texts.emplace_back("/*M!100618 set session innodb_snapshot_isolation = off */");
    }
    return texts;
  }

  [[nodiscard]] std::vector<std::string> settings() const {
    std::vector<std::string> texts = level_settings(level_);
    texts.push_back("set session innodb_lock_wait_timeout = " +
                    std::to_string(lock_seconds().count()));
    if (address_.database.empty()) {
      texts.emplace_back("create database if not exists elapid");
      texts.emplace_back("use elapid");
    }
    return texts;
  }

  MysqlAddress address_;
  std::string socket_;
  std::string option_file_;
  std::string level_;
  std::chrono::milliseconds lock_patience_;
  std::chrono::milliseconds answer_patience_;
  std::chrono::milliseconds connect_patience_;
};

class MysqlDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kMysqlInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    ELAPID_ASSIGN_OR_RETURN(MysqlAddress address, parse_mysql_address(request.uri.address));
    return SqlDatabase::open(std::make_unique<MysqlBinding>(std::move(address), request), request);
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> /*news*/) const override {
    ELAPID_ASSIGN_OR_RETURN(MysqlAddress address, parse_mysql_address(request.uri.address));
    return SqlStepDatabase::open(std::make_unique<MysqlBinding>(std::move(address), request));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::MysqlDriver)
