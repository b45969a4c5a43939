#include "adapter/watch/sqlite_page_store.h"

#include <sqlite3.h>

#include <utility>

namespace elapid {

namespace {

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS pages (owner INTEGER NOT NULL, name INTEGER NOT NULL,"
    " physical INTEGER NOT NULL, rest INTEGER NOT NULL, bytes BLOB NOT NULL,"
    " UNIQUE (owner, name, physical, rest));"
    "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID";

/// 32 MB, whatever the database has.
constexpr const char* kCache = "PRAGMA cache_size = -32768";

std::int64_t rest_of(Moment moment) {
  return std::int64_t{moment.logical} << 2 | moment.kind;
}

Moment moment_of(std::int64_t physical, std::int64_t rest) {
  return {physical, static_cast<std::uint32_t>(rest >> 2), static_cast<Moment::Kind>(rest & 3)};
}

}  // namespace

/// A prepared statement, used again and again.
class SqlitePageStore::Statement {
 public:
  Statement(SqlitePageStore& store, const char* sql) : store_(store) {
    store_.note(sqlite3_prepare_v3(store_.database_, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                   &statement_, nullptr));
  }

  ~Statement() { sqlite3_finalize(statement_); }

  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t number) {
    store_.note(sqlite3_bind_int64(statement_, ++bound_, number));
    return *this;
  }

  /// Borrowed until the statement is done.
  Statement& bind(std::string_view bytes) {
    store_.note(
        sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
  }

  Statement& bind(PageOwner owner) {
    return bind(static_cast<std::int64_t>(owner.kind))
        .bind(static_cast<std::int64_t>(owner.name.bits()));
  }

  Statement& bind(Moment moment) { return bind(moment.physical).bind(rest_of(moment)); }

  /// Whether there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      store_.note(code);
    }
    return code == SQLITE_ROW;
  }

  [[nodiscard]] std::int64_t number(int column) const {
    return sqlite3_column_int64(statement_, column);
  }

  [[nodiscard]] std::string bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string()
               : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
  }

  void done() {
    sqlite3_reset(statement_);
    bound_ = 0;
  }

 private:
  SqlitePageStore& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

Result<std::unique_ptr<SqlitePageStore>> SqlitePageStore::open(const std::string& path) {
  std::unique_ptr<SqlitePageStore> store(new SqlitePageStore(path));
  store->open();
  if (!store->status_.ok()) {
    return store->status_.error();
  }
  return store;
}

SqlitePageStore::SqlitePageStore(std::string path) : path_(std::move(path)) {}

void SqlitePageStore::open() {
  note(sqlite3_open(path_.c_str(), &database_));
  run("PRAGMA page_size = 8192");
  run(kCache);
  run("PRAGMA locking_mode = EXCLUSIVE");
  // Who has no name has nothing to lose.
  run(path_.empty() ? "PRAGMA journal_mode = OFF" : "PRAGMA journal_mode = WAL");
  run(path_.empty() ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = NORMAL");
  run(kTables);
  run("BEGIN IMMEDIATE");
  if (!status_.ok()) {
    return;
  }
  save_ = std::make_unique<Statement>(
      *this,
      "INSERT INTO pages VALUES (?, ?, ?, ?, ?)"
      " ON CONFLICT (owner, name, physical, rest) DO UPDATE SET bytes = excluded.bytes");
  last_up_to_ = std::make_unique<Statement>(
      *this,
      "SELECT physical, rest, bytes FROM pages WHERE owner = ? AND name = ?"
      " AND (physical, rest) <= (?, ?) ORDER BY physical DESC, rest DESC LIMIT 1");
  first_after_ = std::make_unique<Statement>(
      *this,
      "SELECT physical, rest, bytes FROM pages WHERE owner = ? AND name = ?"
      " AND (physical, rest) > (?, ?) ORDER BY physical, rest LIMIT 1");
  put_ = std::make_unique<Statement>(
      *this,
      "INSERT INTO state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes");
  get_ = std::make_unique<Statement>(*this, "SELECT bytes FROM state WHERE name = ?");
}

SqlitePageStore::~SqlitePageStore() {
  save_.reset();
  last_up_to_.reset();
  first_after_.reset();
  put_.reset();
  get_.reset();
  sqlite3_close(database_);
}

void SqlitePageStore::note(int code) {
  if (code != SQLITE_OK && status_.ok()) {
    status_ =
        Error{.kind = ErrorKind::kUnreadable,
              .message = std::string("the database of the state: ") +
                         (database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_)),
              .file = path_};
  }
}

void SqlitePageStore::run(const char* sql) {
  if (status_.ok()) {
    note(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr));
  }
}

void SqlitePageStore::save(PageOwner owner, Moment begin, std::string_view bytes) {
  save_->bind(owner).bind(begin).bind(bytes).step();
  save_->done();
}

std::optional<StoredPage> SqlitePageStore::find(Statement& statement, PageOwner owner,
                                                Moment moment) {
  std::optional<StoredPage> page;
  if (statement.bind(owner).bind(moment).step()) {
    page = {moment_of(statement.number(0), statement.number(1)), statement.bytes(2)};
  }
  statement.done();
  return page;
}

std::optional<StoredPage> SqlitePageStore::last_up_to(PageOwner owner, Moment moment) {
  return find(*last_up_to_, owner, moment);
}

std::optional<StoredPage> SqlitePageStore::first_after(PageOwner owner, Moment moment) {
  return find(*first_after_, owner, moment);
}

void SqlitePageStore::put(const std::string& name, std::string_view bytes) {
  put_->bind(std::string_view(name)).bind(bytes).step();
  put_->done();
}

std::optional<std::string> SqlitePageStore::get(const std::string& name) {
  std::optional<std::string> bytes;
  if (get_->bind(std::string_view(name)).step()) {
    bytes = get_->bytes(0);
  }
  get_->done();
  return bytes;
}

void SqlitePageStore::commit() {
  run("COMMIT");
  run("BEGIN IMMEDIATE");
}

}  // namespace elapid
