// MariaDB and MySQL, by libmariadb.
//
// `snapshot-isolation` is MariaDB's REPEATABLE READ with innodb_snapshot_isolation, which refuses
// to write what has changed since the snapshot; without it REPEATABLE READ lets updates be lost.
// Rows are InnoDB's. A wait for a lock is given up after whole seconds, and then only the statement
// is undone by the server, so that the client rolls back.
#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

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
    case ER_DUP_ENTRY:  // of an insert beside another one
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

class MysqlSession : public SqlSession {
 public:
  explicit MysqlSession(MysqlConnection connection) : connection_(std::move(connection)) {}

  SqlStatus command(const std::string& text) override {
    if (mysql_real_query(connection_.get(), text.data(), text.size()) == 0) {
      return {};
    }
    return mysql_failure(mysql_errno(connection_.get()), mysql_error(connection_.get()));
  }

  SqlStatus query(const std::string& text, std::vector<StepRow>& rows) override {
    rows.clear();
    if (SqlStatus failed = command(text)) {
      return failed;
    }
    affected_ = mysql_affected_rows(connection_.get());
    const std::unique_ptr<MYSQL_RES, FreeMysqlResult> result(mysql_store_result(connection_.get()));
    if (result == nullptr) {
      return mysql_errno(connection_.get()) == 0
                 ? SqlStatus()
                 : mysql_failure(mysql_errno(connection_.get()), mysql_error(connection_.get()));
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
      if (mysql_stmt_prepare(statement.get(), text.data(), text.size()) != 0) {
        return failure_of(statement.get());
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
    if ((!binds_.empty() && mysql_stmt_bind_param(statement, binds_.data()) != 0) ||
        mysql_stmt_execute(statement) != 0) {
      return failure_of(statement);
    }
    affected_ = mysql_stmt_affected_rows(statement);
    return mysql_stmt_field_count(statement) > 0 ? fetch(statement) : SqlStatus();
  }

  [[nodiscard]] std::size_t row_count() const override { return rows_; }

  [[nodiscard]] std::optional<std::string_view> cell(std::size_t row,
                                                     std::size_t column) const override {
    return cells_[row * (cells_.size() / rows_) + column];
  }

  [[nodiscard]] std::uint64_t affected() const override { return affected_; }

 private:
  static SqlStatus failure_of(MYSQL_STMT* statement) {
    return mysql_failure(mysql_stmt_errno(statement), mysql_stmt_error(statement));
  }

  /// The library takes arguments by address, and writes to none.
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

  /// All rows, so that the connection is free for the next statement.
  SqlStatus fetch(MYSQL_STMT* statement) {
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
    if (mysql_stmt_store_result(statement) != 0) {
      return failure_of(statement);
    }
    for (int status = 0; (status = mysql_stmt_fetch(statement)) != MYSQL_NO_DATA;) {
      if (status == 1) {
        return failure_of(statement);
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
    return usage_error("expected mysql://USER:PASSWORD@HOST:PORT/DATABASE, not '" +
                       std::string(text) + "'");
  }
  text.remove_prefix(2);
  const std::size_t slash = std::min(text.find('/'), text.size());
  address.database = text.substr(std::min(slash + 1, text.size()));
  std::string_view place = text.substr(0, slash);
  if (const std::size_t at = place.rfind('@'); at != std::string_view::npos) {
    const std::string_view who = place.substr(0, at);
    const std::size_t colon = std::min(who.find(':'), who.size());
    address.user = who.substr(0, colon);
    address.password = who.substr(std::min(colon + 1, who.size()));
    place.remove_prefix(at + 1);
  }
  Result<HostAndPort> server = parse_host_and_port(place);
  if (!server) {
    return server.error();
  }
  address.server = std::move(server).value();
  return address;
}

class MysqlBinding : public SqlBinding {
 public:
  MysqlBinding(MysqlAddress address, const DatabaseRequest& request)
      : address_(std::move(address)),
        socket_(request.uri.parameter("socket", "")),
        level_(request.level),
        patience_(request.patience) {}

  [[nodiscard]] const SqlSpelling& spelling() const override { return kMysqlSpelling; }

  [[nodiscard]] Result<std::unique_ptr<SqlSession>> connect() override {
    MysqlConnection connection(mysql_init(nullptr));
    const unsigned seconds = lock_seconds() + 2;  // the server gives up first
    mysql_options(connection.get(), MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
    mysql_options(connection.get(), MYSQL_OPT_READ_TIMEOUT, &seconds);
    mysql_options(connection.get(), MYSQL_OPT_WRITE_TIMEOUT, &seconds);
    const auto or_none = [](const std::string& text) {
      return text.empty() ? nullptr : text.c_str();
    };
    if (mysql_real_connect(connection.get(), or_none(address_.server.host), or_none(address_.user),
                           or_none(address_.password), or_none(address_.database),
                           address_.server.port.value_or(0), or_none(socket_),
                           CLIENT_FOUND_ROWS) == nullptr) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = std::string("MariaDB: ") + mysql_error(connection.get())};
    }
    auto session = std::make_unique<MysqlSession>(std::move(connection));
    for (const std::string& text : settings()) {
      if (const SqlStatus failed = session->command(text)) {
        return Error{.kind = ErrorKind::kUnreadable, .message = "MariaDB: " + failed->message};
      }
    }
    return std::unique_ptr<SqlSession>(std::move(session));
  }

  [[nodiscard]] SqlBegin begin() const override { return {.any = "start transaction"}; }

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

  /// InnoDB fills these tables again when nobody has read it for a tenth of a second.
  [[nodiscard]] std::chrono::milliseconds waiting_is_as_old_as() const override {
    return std::chrono::milliseconds(101);
  }

 private:
  [[nodiscard]] unsigned lock_seconds() const {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(patience_).count();
    return static_cast<unsigned>(std::max<std::int64_t>(1, seconds));
  }

  [[nodiscard]] std::vector<std::string> settings() const {
    std::string level = level_ == "snapshot-isolation" ? "repeatable-read" : level_;
    std::ranges::replace(level, '-', ' ');
    std::vector<std::string> texts = {
        "set session transaction isolation level " + level,
        "set session innodb_lock_wait_timeout = " + std::to_string(lock_seconds())};
    if (level_ == "snapshot-isolation") {
      texts.emplace_back("set session innodb_snapshot_isolation = on");
    } else if (level_ == "repeatable-read") {
      // As far as the server knows it, which decides what this level is.
      texts.emplace_back("/*M!100618 set session innodb_snapshot_isolation = off */");
    }
    if (address_.database.empty()) {
      texts.emplace_back("create database if not exists elapid");
      texts.emplace_back("use elapid");
    }
    return texts;
  }

  MysqlAddress address_;
  std::string socket_;
  std::string level_;
  std::chrono::milliseconds patience_;
};

class MysqlDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kMysqlInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    Result<MysqlAddress> address = parse_mysql_address(request.uri.address);
    if (!address) {
      return address.error();
    }
    return SqlDatabase::open(std::make_unique<MysqlBinding>(std::move(address).value(), request),
                             request);
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> /*news*/) const override {
    Result<MysqlAddress> address = parse_mysql_address(request.uri.address);
    if (!address) {
      return address.error();
    }
    return SqlStepDatabase::open(
        std::make_unique<MysqlBinding>(std::move(address).value(), request));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::MysqlDriver)
