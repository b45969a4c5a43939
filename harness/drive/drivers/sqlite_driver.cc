// SQLite, in this process; each connection opens the file anew, as programs of their own would.
//
// SQLite has one level, serializable, and several ways to get there: with a rollback journal a
// writer keeps readers out while it commits, with a write-ahead log readers see the state at which
// they began. A transaction that begins as `deferred` takes its locks when it needs them, and is
// told SQLITE_BUSY at once where it read a state that has changed since; one that begins as
// `immediate` is the only writer from its beginning on.
#include <sqlite3.h>

#include <array>
#include <unordered_map>

#include "harness/drive/plugin.h"
#include "harness/drive/sql/sql_database.h"

namespace elapid {

namespace {

constexpr std::array kSqliteLevels = {
    DriverLevel{"serializable", "SQLite has no other, of connections that share no cache"},
};

constexpr std::array kSqliteOwnParameters = {
    DriverParameter{"journal", "delete, wal", "The rollback journal, or the write-ahead log"},
    DriverParameter{"begin", "deferred, immediate", "How transactions begin that write"},
    DriverParameter{"synchronous", "off, normal, full", "PRAGMA synchronous"},
};

constexpr auto kSqliteParameters = joined_parameters(kSqliteOwnParameters, kSqlParameters);

constexpr DriverInfo kSqliteInfo = {
    .name = "sqlite",
    .address = "sqlite:[PATH]",
    .about = "SQLite in this process; without PATH in a temporary folder",
    .levels = kSqliteLevels,
    .parameters = kSqliteParameters,
    .has_rows = true,
};

constexpr SqlSpelling kSqliteSpelling = {
    .text_type = "text",
    .json_type = "text",
    .on_conflict = " on conflict (k) do update set",
    .new_value = "excluded.v",
    .append_text = [](const std::string& old,
                      const std::string& added) { return old + " || ',' || " + added; },
    .append_json =
        [](const std::string& old, const std::string& added) {
          return "json_insert(" + old + ", '$[#]', json_extract(" + added + ", '$[0]'))";
        },
};

struct CloseSqlite {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};

struct FinalizeSqlite {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, FinalizeSqlite>;

/// https://www.sqlite.org/rescode.html
TxnError sqlite_error(int code) {
  if (code == SQLITE_BUSY_SNAPSHOT || (code & 0xff) == SQLITE_CONSTRAINT) {
    return TxnError::kConflict;  // of an insert beside another one
  }
  const bool is_busy = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
  return is_busy ? TxnError::kBusy : TxnError::kOther;
}

class SqliteSession : public SqlSession {
 public:
  explicit SqliteSession(SqliteHandle db) : db_(std::move(db)) {}

  SqlStatus command(const std::string& text) override {
    // What the database has undone itself, as where the disk fails, needs no more.
    if (text == "rollback" && sqlite3_get_autocommit(db_.get()) != 0) {
      return {};
    }
    SqliteStatement& statement = commands_[text];
    if (!statement) {
      if (SqlStatus failed = make(text, statement)) {
        return failed;
      }
    }
    return carry_out(*statement);
  }

  SqlStatus prepare(const std::vector<std::string>& texts) override {
    statements_.clear();
    for (const std::string& text : texts) {
      if (SqlStatus failed = make(text, statements_.emplace_back())) {
        return failed;
      }
    }
    return {};
  }

  SqlStatus execute(std::size_t number, std::span<const SqlArgument> arguments) override {
    sqlite3_stmt& statement = *statements_[number];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const int place = static_cast<int>(i) + 1;
      if (const auto* const value = std::get_if<std::int64_t>(&arguments[i])) {
        sqlite3_bind_int64(&statement, place, *value);
      } else {
        const std::string_view text = std::get<std::string_view>(arguments[i]);
        sqlite3_bind_text(&statement, place, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
      }
    }
    return carry_out(statement);
  }

  [[nodiscard]] std::size_t row_count() const override { return rows_; }

  [[nodiscard]] std::optional<std::string_view> cell(std::size_t row,
                                                     std::size_t column) const override {
    return cells_[row * (cells_.size() / rows_) + column];
  }

  [[nodiscard]] std::uint64_t affected() const override {
    return static_cast<std::uint64_t>(sqlite3_changes64(db_.get()));
  }

 private:
  SqlStatus make(const std::string& text, SqliteStatement& statement) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(db_.get(), text.data(), static_cast<int>(text.size()),
                                        SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    statement.reset(made);
    return code == SQLITE_OK ? SqlStatus() : failure();
  }

  SqlStatus carry_out(sqlite3_stmt& statement) {
    cells_.clear();
    rows_ = 0;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(&statement)) == SQLITE_ROW) {
      ++rows_;
      for (int column = 0; column < sqlite3_column_count(&statement); ++column) {
        take_cell(statement, column);
      }
    }
    const SqlStatus status = code == SQLITE_DONE ? SqlStatus() : failure();
    sqlite3_reset(&statement);
    return status;
  }

  void take_cell(sqlite3_stmt& statement, int column) {
    std::optional<std::string>& cell = cells_.emplace_back();
    if (const unsigned char* const text = sqlite3_column_text(&statement, column)) {
      cell.emplace(reinterpret_cast<const char*>(text),
                   static_cast<std::size_t>(sqlite3_column_bytes(&statement, column)));
    }
  }

  SqlStatus failure() {
    return SqlFailure{.error = sqlite_error(sqlite3_extended_errcode(db_.get())),
                      .message = sqlite3_errmsg(db_.get())};
  }

  SqliteHandle db_;
  std::unordered_map<std::string, SqliteStatement> commands_ = {};
  std::vector<SqliteStatement> statements_ = {};
  std::vector<std::optional<std::string>> cells_ = {};  // of all rows
  std::size_t rows_ = 0;
};

class SqliteBinding : public SqlBinding {
 public:
  explicit SqliteBinding(const DatabaseRequest& request)
      : path_(request.uri.address.empty() ? request.scratch + "/sqlite.db" : request.uri.address),
        is_immediate_(request.uri.parameter("begin", "deferred") == "immediate"),
        settings_{
            "pragma journal_mode = " + std::string(request.uri.parameter("journal", "delete")),
            "pragma synchronous = " + std::string(request.uri.parameter("synchronous", "off"))},
        patience_ms_(static_cast<int>(request.patience.count())) {}

  [[nodiscard]] const SqlSpelling& spelling() const override { return kSqliteSpelling; }

  [[nodiscard]] Result<std::unique_ptr<SqlSession>> connect() override {
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(path_.c_str(), &opened, flags, nullptr);
    SqliteHandle db(opened);
    if (code != SQLITE_OK) {
      return unreadable(sqlite3_errmsg(db.get()));
    }
    sqlite3_busy_timeout(db.get(), patience_ms_);
    auto session = std::make_unique<SqliteSession>(std::move(db));
    for (const std::string& setting : settings_) {
      if (const SqlStatus failed = session->command(setting)) {
        return unreadable(failed->message);
      }
    }
    return std::unique_ptr<SqlSession>(std::move(session));
  }

  [[nodiscard]] SqlBegin begin() const override {
    return {.any = is_immediate_ ? "begin immediate" : "begin deferred",
            .only_reads = "begin deferred"};
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fact_queries() const override {
    return {{"database", "select 'SQLite'"},
            {"version", "select sqlite_version()"},
            {"journal", "pragma journal_mode"},
            {"synchronous", "pragma synchronous"}};
  }

 private:
  [[nodiscard]] Error unreadable(const std::string& why) const {
    return {.kind = ErrorKind::kUnreadable, .message = "SQLite says: " + why, .file = path_};
  }

  std::string path_;
  bool is_immediate_;
  std::array<std::string, 2> settings_;
  int patience_ms_;
};

class SqliteDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kSqliteInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    return SqlDatabase::open(std::make_unique<SqliteBinding>(request), request);
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::SqliteDriver)
