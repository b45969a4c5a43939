#include <sqlite3.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "adapter/http/checks/database.h"

namespace elapid::http {
namespace {

constexpr int kBusyMilliseconds = 10000;

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(std::string path) : path_(std::move(path)) {}

  ~SqliteDatabase() override {
    statements_.clear();
    sqlite3_close(database_);
  }

  Status open() {
    if (sqlite3_open_v2(path_.c_str(), &database_,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        nullptr) != SQLITE_OK) {
      return failure();
    }
    sqlite3_busy_timeout(database_, kBusyMilliseconds);
    for (const char* const pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
                                     "PRAGMA cell_size_check = ON"}) {
      if (!execute(pragma)) {
        return failure();
      }
    }
    return {};
  }

  Result<Rows> run(std::string_view sql, const std::vector<Cell>& values,
                   Durability durability) override {
    const std::lock_guard lock(mutex_);
    if (durability != durability_) {
      // Commits with the weaker durability become durable with the next durable commit.
      execute(durability == Durability::kOutlivesProcess ? "PRAGMA synchronous = NORMAL"
                                                         : "PRAGMA synchronous = FULL");
      durability_ = durability;
    }
    sqlite3_stmt* const raw = statement(sql);
    if (raw == nullptr) {
      return failure();
    }
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> in_use(raw, sqlite3_reset);
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Parameters are numbered as in PostgreSQL; SQLite treats the numbers as names.
      const int place = sqlite3_bind_parameter_index(raw, ("$" + std::to_string(i + 1)).c_str());
      const Cell& value = values[i];
      const int bound = !value ? sqlite3_bind_null(raw, place)
                               : sqlite3_bind_text(raw, place, value->data(),
                                                   static_cast<int>(value->size()), SQLITE_STATIC);
      if (bound != SQLITE_OK) {
        return failure();
      }
    }
    Rows rows;
    for (;;) {
      const int step = sqlite3_step(raw);
      if (step == SQLITE_DONE) {
        return rows;
      }
      if (step != SQLITE_ROW) {
        return failure();
      }
      rows.push_back(row_of(raw));
    }
  }

  Status transact(const std::function<Status()>& work) override {
    const std::lock_guard lock(mutex_);
    if (!execute("BEGIN IMMEDIATE")) {
      return failure();
    }
    Status done = work();
    const bool has_ended = execute(done.ok() ? "COMMIT" : "ROLLBACK");
    return done.ok() && !has_ended ? Status(failure()) : done;
  }

  [[nodiscard]] const Dialect& dialect() const override {
    static constexpr Dialect kDialect = {
        .now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
        .sequence = "INTEGER PRIMARY KEY AUTOINCREMENT",
        .bytes = "BLOB",
        .skip_locked = ""};
    return kDialect;
  }

  [[nodiscard]] std::string to_cell(std::string_view bytes) const override {
    return std::string(bytes);
  }

  [[nodiscard]] std::string from_cell(std::string_view cell) const override {
    return std::string(cell);
  }

 private:
  bool execute(const char* sql) {
    return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }

  /// The statement, compiled at its first use; null on an error.
  sqlite3_stmt* statement(std::string_view sql) {
    constexpr std::size_t kMost = 100;
    if (const auto found = statements_.find(sql); found != statements_.end()) {
      return found->second.get();
    }
    if (statements_.size() >= kMost) {
      statements_.clear();
    }
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &raw, nullptr) != SQLITE_OK) {
      return nullptr;
    }
    statements_.emplace(sql, Statement(raw, sqlite3_finalize));
    return raw;
  }

  static Row row_of(sqlite3_stmt* statement) {
    Row row(static_cast<std::size_t>(sqlite3_column_count(statement)));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int column = static_cast<int>(i);
      if (sqlite3_column_type(statement, column) != SQLITE_NULL) {
        const void* const bytes = sqlite3_column_blob(statement, column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        row[i] = size == 0 ? std::string() : std::string(static_cast<const char*>(bytes), size);
      }
    }
    return row;
  }

  [[nodiscard]] Error failure() const {
    return {.kind = ErrorKind::kUnreadable, .message = sqlite3_errmsg(database_), .file = path_};
  }

  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  std::string path_;
  std::recursive_mutex mutex_;  // transact() calls run()
  sqlite3* database_ = nullptr;
  Durability durability_ = Durability::kOutlivesPowerCut;
  std::map<std::string, Statement, std::less<>> statements_ = {};
};

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const std::string& path) {
  auto database = std::make_unique<SqliteDatabase>(path);
  ELAPID_RETURN_IF_ERROR(database->open());
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace elapid::http
