// SQLite, in this process; each connection opens the file anew, as programs of their own would.
//
// SQLite has one level, serializable, and several ways to get there: with a rollback journal a
// writer keeps readers out while it commits, with a write-ahead log readers see the state at which
// they began. A transaction that begins as `deferred` takes its locks when it needs them, and is
// told SQLITE_BUSY at once where it read a state that has changed since; one that begins as
// `immediate` is the only writer from its beginning on.
//
// Lists are stored in one of three ways: as a text to which `||` adds an element, so that the
// database does what a client would otherwise do by reading and writing; as rows, one an element;
// or as an array of JSON.
#include <sqlite3.h>

#include <array>

#include "harness/drive/plugin.h"
#include "harness/drive/sql/listed_numbers.h"

namespace elapid {

namespace {

constexpr std::array kSqliteLevels = {
    DriverLevel{"serializable", "SQLite has no other, of connections that share no cache"},
};

constexpr std::array kSqliteParameters = {
    DriverParameter{"journal", "delete, wal", "The rollback journal, or the write-ahead log"},
    DriverParameter{"begin", "deferred, immediate", "How transactions begin"},
    DriverParameter{"lists", "text, rows, json", "How lists are stored"},
    DriverParameter{"synchronous", "off, normal, full", "PRAGMA synchronous"},
};

constexpr DriverInfo kSqliteInfo = {
    .name = "sqlite",
    .address = "sqlite:[PATH]",
    .about = "SQLite in this process; without PATH in a temporary folder",
    .levels = kSqliteLevels,
    .parameters = kSqliteParameters,
};

// --- Statements --------------------------------------------------------------------------------

struct CloseSqlite {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};

struct FinalizeSqlite {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, FinalizeSqlite>;

/// The statements of one way to store what a run needs: `?1` is the key, `?2` the value.
struct SqliteTables {
  const char* create;
  const char* read;
  const char* write;  ///< of a register, or an append
};

constexpr SqliteTables kRegisterTable = {
    "DROP TABLE IF EXISTS elapid;"
    "CREATE TABLE elapid (k INTEGER PRIMARY KEY, v INTEGER);",
    "SELECT v FROM elapid WHERE k = ?1",
    "INSERT INTO elapid (k, v) VALUES (?1, ?2) ON CONFLICT (k) DO UPDATE SET v = excluded.v"};

constexpr SqliteTables kTextTable = {
    "DROP TABLE IF EXISTS elapid;"
    "CREATE TABLE elapid (k INTEGER PRIMARY KEY, v TEXT);",
    "SELECT v FROM elapid WHERE k = ?1",
    "INSERT INTO elapid (k, v) VALUES (?1, CAST(?2 AS TEXT))"
    " ON CONFLICT (k) DO UPDATE SET v = v || ',' || excluded.v"};

constexpr SqliteTables kRowsTable = {
    "DROP TABLE IF EXISTS elapid;"
    "CREATE TABLE elapid (k INTEGER, i INTEGER, v INTEGER, PRIMARY KEY (k, i)) WITHOUT ROWID;",
    "SELECT v FROM elapid WHERE k = ?1 ORDER BY i",
    "INSERT INTO elapid (k, i, v)"
    " VALUES (?1, (SELECT coalesce(max(i), 0) + 1 FROM elapid WHERE k = ?1), ?2)"};

constexpr SqliteTables kJsonTable = {
    "DROP TABLE IF EXISTS elapid;"
    "CREATE TABLE elapid (k INTEGER PRIMARY KEY, v TEXT);",
    "SELECT v FROM elapid WHERE k = ?1",
    "INSERT INTO elapid (k, v) VALUES (?1, json_array(?2))"
    " ON CONFLICT (k) DO UPDATE SET v = json_insert(v, '$[#]', ?2)"};

const SqliteTables& tables_of(const DatabaseRequest& request) {
  const std::string_view lists = request.uri.parameter("lists", "text");
  return !request.has_lists ? kRegisterTable
         : lists == "rows"  ? kRowsTable
         : lists == "json"  ? kJsonTable
                            : kTextTable;
}

/// What a connection needs to know.
struct SqliteSettings {
  std::string path = {};
  const SqliteTables* tables = nullptr;
  bool is_wal = false;
  bool is_immediate = false;
  std::string synchronous = {};
  int patience_ms = 0;
};

Error sqlite_error(const std::string& path, sqlite3* db) {
  return {.kind = ErrorKind::kUnreadable,
          .message = std::string("SQLite says: ") + sqlite3_errmsg(db),
          .file = path};
}

/// Opens the file, with the settings that a connection has.
Result<SqliteHandle> open_sqlite(const SqliteSettings& settings) {
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(settings.path.c_str(), &opened, flags, nullptr);
  SqliteHandle db(opened);
  if (code != SQLITE_OK) {
    return sqlite_error(settings.path, db.get());
  }
  sqlite3_busy_timeout(db.get(), settings.patience_ms);
  const std::string pragma = "PRAGMA synchronous = " + settings.synchronous;
  if (sqlite3_exec(db.get(), pragma.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return sqlite_error(settings.path, db.get());
  }
  return db;
}

SqliteStatement prepare_sqlite(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  return SqliteStatement(statement);
}

// --- Transactions ------------------------------------------------------------------------------

class SqliteConnection : public Connection {
 public:
  SqliteConnection(SqliteHandle db, const SqliteSettings& settings)
      : db_(std::move(db)),
        begin_(prepare_sqlite(db_.get(),
                              settings.is_immediate ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")),
        begin_reading_(prepare_sqlite(db_.get(), "BEGIN DEFERRED")),
        commit_(prepare_sqlite(db_.get(), "COMMIT")),
        read_(prepare_sqlite(db_.get(), settings.tables->read)),
        write_(prepare_sqlite(db_.get(), settings.tables->write)) {}

  /// Whether all statements could be prepared.
  [[nodiscard]] bool is_ready() const {
    return begin_ && begin_reading_ && commit_ && read_ && write_;
  }

  [[nodiscard]] sqlite3* db() const { return db_.get(); }

  TxnOutcome run(DriverTxn& txn) override {
    int code = finish(txn.only_reads() ? *begin_reading_ : *begin_);
    bool goes_on = true;
    for (std::size_t i = 0; i < txn.size() && code == SQLITE_OK && goes_on; ++i) {
      code = carry_out(txn, i, goes_on);
    }
    const bool commits = code == SQLITE_OK && goes_on;
    if (commits) {
      code = finish(*commit_);
    }
    if (commits && code == SQLITE_OK) {
      return {};
    }
    TxnOutcome outcome = goes_on ? failure(code) : given_up();
    roll_back(outcome);
    // Where the disk fails, nobody knows how far the commit came.
    if (commits && outcome.error == TxnError::kOther) {
      outcome.fate = TxnFate::kIndeterminate;
    }
    return outcome;
  }

 private:
  /// Runs a statement without rows.
  static int finish(sqlite3_stmt& statement) {
    const int code = sqlite3_step(&statement);
    sqlite3_reset(&statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
  }

  int carry_out(DriverTxn& txn, std::size_t i, bool& goes_on) {
    const RequestStep step = txn.step(i);
    if (step.kind == OpKind::kWrite || step.kind == OpKind::kAppend) {
      sqlite3_bind_int64(write_.get(), 1, step.key);
      sqlite3_bind_int64(write_.get(), 2, step.value);
      return finish(*write_);
    }
    sqlite3_bind_int64(read_.get(), 1, step.key);
    Seen seen;
    elements_.clear();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(read_.get())) == SQLITE_ROW) {
      if (step.kind == OpKind::kRead) {
        seen = sqlite3_column_int64(read_.get(), 0);
      } else {
        take_elements();
      }
    }
    sqlite3_reset(read_.get());
    if (code != SQLITE_DONE) {
      return code;
    }
    if (step.kind == OpKind::kRead) {
      goes_on = txn.saw(i, seen);
    } else {
      txn.saw_list(i, elements_);
    }
    return SQLITE_OK;
  }

  /// A row's number, or all numbers of its text.
  void take_elements() {
    if (sqlite3_column_type(read_.get(), 0) == SQLITE_INTEGER) {
      elements_.push_back(sqlite3_column_int64(read_.get(), 0));
      return;
    }
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(read_.get(), 0));
    add_listed_numbers({text, static_cast<std::size_t>(sqlite3_column_bytes(read_.get(), 0))},
                       elements_);
  }

  TxnOutcome failure(int code) {
    TxnOutcome outcome = {
        .fate = TxnFate::kAborted, .error = TxnError::kOther, .message = sqlite3_errmsg(db_.get())};
    const int extended = sqlite3_extended_errcode(db_.get());
    if (extended == SQLITE_BUSY_SNAPSHOT) {
      outcome.error = TxnError::kConflict;
    } else if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED) {
      outcome.error = TxnError::kBusy;
    }
    return outcome;
  }

  /// A transaction that is still there is undone. One that is not was undone by SQLite itself, as
  /// it does where the disk fails; COMMIT undoes nothing else, and says so by the transaction that
  /// stays.
  void roll_back(TxnOutcome& outcome) {
    if (sqlite3_get_autocommit(db_.get()) == 0 &&
        sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr) != SQLITE_OK) {
      outcome.fate = TxnFate::kIndeterminate;
      outcome.is_unusable = true;
    }
  }

  SqliteHandle db_;
  SqliteStatement begin_;
  SqliteStatement begin_reading_;
  SqliteStatement commit_;
  SqliteStatement read_;
  SqliteStatement write_;
  std::vector<std::int64_t> elements_ = {};
};

class SqliteDatabase : public Database {
 public:
  explicit SqliteDatabase(const DatabaseRequest& request)
      : settings_{.path = request.uri.address.empty() ? request.scratch + "/sqlite.db"
                                                      : request.uri.address,
                  .tables = &tables_of(request),
                  .is_wal = request.uri.parameter("journal", "delete") == "wal",
                  .is_immediate = request.uri.parameter("begin", "deferred") == "immediate",
                  .synchronous = std::string(request.uri.parameter("synchronous", "off")),
                  .patience_ms = static_cast<int>(request.patience.count())} {}

  /// Makes the table anew. The mode of the journal is kept in the file.
  Status begin_anew(const std::vector<RequestStep>& initial) {
    Result<SqliteHandle> opened = open_sqlite(settings_);
    if (!opened) {
      return std::move(opened.error());
    }
    SqliteHandle db = std::move(opened).value();
    const char* const journal =
        settings_.is_wal ? "PRAGMA journal_mode = wal" : "PRAGMA journal_mode = delete";
    for (const char* const sql : {journal, settings_.tables->create}) {
      if (sqlite3_exec(db.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        return sqlite_error(settings_.path, db.get());
      }
    }
    SqliteConnection connection(std::move(db), settings_);
    if (!connection.is_ready()) {
      return sqlite_error(settings_.path, connection.db());
    }
    Request request;
    request.steps = initial;
    DriverTxn txn(request);
    const TxnOutcome outcome = connection.run(txn);
    return outcome.fate == TxnFate::kCommitted ? Status()
                                               : sqlite_error(settings_.path, connection.db());
  }

  Result<std::unique_ptr<Connection>> connect(std::size_t /*session*/) override {
    Result<SqliteHandle> opened = open_sqlite(settings_);
    if (!opened) {
      return std::move(opened.error());
    }
    auto connection = std::make_unique<SqliteConnection>(std::move(opened).value(), settings_);
    if (!connection->is_ready()) {
      return sqlite_error(settings_.path, connection->db());
    }
    return std::unique_ptr<Connection>(std::move(connection));
  }

  std::vector<DatabaseFact> facts() override {
    return {{"database", "SQLite"},
            {"version", sqlite3_libversion()},
            {"journal", settings_.is_wal ? "wal" : "delete"},
            {"begin", settings_.is_immediate ? "immediate" : "deferred"},
            {"synchronous", settings_.synchronous}};
  }

 private:
  SqliteSettings settings_;
};

class SqliteDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kSqliteInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    auto database = std::make_unique<SqliteDatabase>(request);
    if (Status status = database->begin_anew(request.initial); !status.ok()) {
      return std::move(status.error());
    }
    return std::unique_ptr<Database>(std::move(database));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::SqliteDriver)
