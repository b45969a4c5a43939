// SQLite, in this process. Each connection opens the file anew, as separate programs would.
//
// SQLite has one level, serializable, and several ways to reach it. With a rollback journal, a
// writer excludes readers while it commits. With a write-ahead log, readers see the state at their
// begin. A transaction that begins as `deferred` takes its locks when it needs them, and gets
// SQLITE_BUSY at once if its reads are outdated. One that begins as `immediate` is the only writer
// from its begin.
//
// Connections that share a cache have another level, read-uncommitted: they see each other's writes
// at once, and exclude each other only while they write.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <unordered_map>

#include "harness/drive/plugin.h"
#include "harness/drive/sql/sql_database.h"

namespace elapid {

namespace {

constexpr std::string_view kDirty = "read-uncommitted";

constexpr std::array kSqliteLevels = {
    DriverLevel{"serializable", "connections that share no cache have no other"},
    DriverLevel{kDirty, "a shared cache, and pragma read_uncommitted"},
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
    .has_level_by_txn = true,
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
    .has_returning = true,
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
    return TxnError::kConflict;  // another insert of the key came first
  }
  const bool is_busy = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
  return is_busy ? TxnError::kBusy : TxnError::kOther;
}

class SqliteSession : public SqlSession {
 public:
  explicit SqliteSession(SqliteHandle db) : db_(std::move(db)) {}

  SqlStatus command(const std::string& text) override {
    // The database has rolled back by itself, as after an error of the disk.
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

  SqlStatus query(const std::string& text, std::vector<StepRow>& rows) override {
    rows.clear();
    SqliteStatement statement;
    if (SqlStatus failed = make(text, statement)) {
      return failed;
    }
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
      StepRow& row = rows.emplace_back();
      for (int column = 0; column < sqlite3_column_count(statement.get()); ++column) {
        const auto* const cell =
            reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
        row.push_back(cell == nullptr ? std::nullopt : std::optional<std::string>(cell));
      }
    }
    return code == SQLITE_DONE ? SqlStatus() : failure();
  }

  /// Whether the last failure was a locked table of the shared cache, for which SQLite never waits.
  [[nodiscard]] bool is_locked_out() const {
    return (sqlite3_errcode(db_.get()) & 0xff) == SQLITE_LOCKED;
  }

  [[nodiscard]] sqlite3* db() const { return db_.get(); }

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
        shares_cache_(request.level == kDirty ||
                      std::ranges::find(request.mix, kDirty) != request.mix.end()),
        settings_{
            level_setting(request.level),
            "pragma journal_mode = " + std::string(request.uri.parameter("journal", "delete")),
            "pragma synchronous = " + std::string(request.uri.parameter("synchronous", "off"))},
        patience_ms_(static_cast<int>(request.patience.count())) {}

  [[nodiscard]] const SqlSpelling& spelling() const override { return kSqliteSpelling; }

  [[nodiscard]] Result<std::unique_ptr<SqlSession>> connect() override {
    Result<std::unique_ptr<SqliteSession>> opened = open();
    return opened ? Result<std::unique_ptr<SqlSession>>(std::move(opened).value()) : opened.error();
  }

  [[nodiscard]] Result<std::unique_ptr<SqliteSession>> open() const {
    sqlite3* opened = nullptr;
    const int cache = shares_cache_ ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | cache;
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
    return session;
  }

  [[nodiscard]] SqlBegin begin(const std::string& level) const override {
    return {
        .any = step_begin(), .only_reads = "begin deferred", .settings = {level_setting(level)}};
  }

  [[nodiscard]] std::string step_begin() const override {
    return is_immediate_ ? "begin immediate" : "begin deferred";
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fact_queries() const override {
    return {{"database", "select 'SQLite'"},
            {"version", "select sqlite_version()"},
            {"journal", "pragma journal_mode"},
            {"read_uncommitted", "pragma read_uncommitted"},
            {"synchronous", "pragma synchronous"}};
  }

 private:
  static std::string level_setting(std::string_view level) {
    return "pragma read_uncommitted = " + std::string(level == kDirty ? "on" : "off");
  }

  [[nodiscard]] Error unreadable(const std::string& why) const {
    return {.kind = ErrorKind::kUnreadable, .message = "SQLite says: " + why, .file = path_};
  }

  std::string path_;
  bool is_immediate_;
  bool shares_cache_;
  std::array<std::string, 3> settings_;
  int patience_ms_;
};

// --- Sessions that go a step at a time ---------------------------------------------------------

/// The sessions that wait. SQLite has no queue for locks: a busy handler decides whether to try
/// again. Here a session tries again when another session's request has returned.
class SqliteWaitingRoom {
 public:
  explicit SqliteWaitingRoom(std::function<void()> news) : news_(std::move(news)) {}

  /// The number of requests that have returned.
  [[nodiscard]] std::uint64_t returned() {
    const std::lock_guard lock(mutex_);
    return returned_;
  }

  /// Waits until more requests have returned than `seen`, which was read before the lock was tried,
  /// and updates it. False if the session must give up instead.
  bool wait(std::size_t session, std::uint64_t& seen) {
    std::unique_lock lock(mutex_);
    if (returned_ == seen) {
      waiting_.resize(std::max(waiting_.size(), session + 1));
      waiting_[session] = true;
      lock.unlock();
      news_();
      lock.lock();
    }
    happened_.wait(lock, [&] { return returned_ != seen || gives_up_ == session; });
    seen = returned_;
    if (gives_up_ == session) {
      gives_up_.reset();
      waiting_[session] = false;
      return false;
    }
    return true;
  }

  [[nodiscard]] bool all_wait(std::span<const std::size_t> sessions) {
    const std::lock_guard lock(mutex_);
    return std::ranges::all_of(sessions, [&](std::size_t session) {
      return session < waiting_.size() && waiting_[session];
    });
  }

  /// The waiting sessions are about to try again, so they do not count as waiting until they have.
  void step_returned() {
    const std::lock_guard lock(mutex_);
    ++returned_;
    waiting_.assign(waiting_.size(), false);
    happened_.notify_all();
  }

  void nothing_follows() {
    const std::lock_guard lock(mutex_);
    if (const auto first = std::ranges::find(waiting_, true); first != waiting_.end()) {
      gives_up_ = static_cast<std::size_t>(first - waiting_.begin());
      happened_.notify_all();
    }
  }

 private:
  std::function<void()> news_;
  std::mutex mutex_ = {};
  std::condition_variable happened_ = {};
  std::vector<bool> waiting_ = {};  // by session
  std::uint64_t returned_ = 0;
  std::optional<std::size_t> gives_up_ = {};
};

class SqliteStepSession : public StepSession {
 public:
  SqliteStepSession(std::unique_ptr<SqliteSession> session, std::string begin, std::size_t number,
                    SqliteWaitingRoom& room)
      : session_(std::move(session)), begin_(std::move(begin)), number_(number), room_(room) {
    sqlite3_busy_handler(
        session_->db(),
        [](void* self, int /*tries*/) {
          auto* const step = static_cast<SqliteStepSession*>(self);
          return step->room_.wait(step->number_, step->seen_) ? 1 : 0;
        },
        this);
  }

  StepReply carry_out(const StepRequest& request) override {
    seen_ = room_.returned();
    StepReply reply;
    SqlStatus failed = try_once(request, reply);
    // SQLite calls no busy handler for a locked table of a shared cache.
    while (failed && session_->is_locked_out() && room_.wait(number_, seen_)) {
      failed = try_once(request, reply);
    }
    if (failed) {
      return {.error = failed->error, .message = failed->message, .is_lost = failed->is_lost};
    }
    reply.affected = session_->affected();
    return reply;
  }

 private:
  SqlStatus try_once(const StepRequest& request, StepReply& reply) {
    switch (request.kind) {
      case StepRequest::Kind::kBegin:
        return session_->command(begin_);
      case StepRequest::Kind::kCommit:
        return session_->command("commit");
      case StepRequest::Kind::kRollback:
        return session_->command("rollback");
      default:
        return session_->query(request.sql, reply.rows);
    }
  }

  std::unique_ptr<SqliteSession> session_;
  std::string begin_;
  std::size_t number_;
  SqliteWaitingRoom& room_;
  std::uint64_t seen_ = 0;  // requests that had returned when a lock was asked for
};

class SqliteStepDatabase : public StepDatabase {
 public:
  SqliteStepDatabase(const DatabaseRequest& request, std::function<void()> news)
      : binding_(request), room_(std::move(news)) {}

  Status open() {
    ELAPID_ASSIGN_OR_RETURN(session_, binding_.open());
    return {};
  }

  [[nodiscard]] const SqlSpelling* spelling() const override { return &kSqliteSpelling; }

  Status prepare(std::span<const std::string> sql) override { return carry_out(*session_, sql); }

  Result<std::unique_ptr<StepSession>> connect(std::size_t session,
                                               std::span<const std::string> settings) override {
    ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<SqliteSession> opened, binding_.open());
    ELAPID_RETURN_IF_ERROR(carry_out(*opened, settings));
    return std::unique_ptr<StepSession>(std::make_unique<SqliteStepSession>(
        std::move(opened), binding_.step_begin(), session, room_));
  }

  Result<bool> all_wait(std::span<const std::size_t> sessions) override {
    return room_.all_wait(sessions);
  }

  void step_returned() override { room_.step_returned(); }

  void nothing_follows() override { room_.nothing_follows(); }

  [[nodiscard]] std::vector<DatabaseFact> facts() override {
    std::vector<DatabaseFact> facts;
    std::vector<StepRow> rows;
    for (const auto& [name, query] : binding_.fact_queries()) {
      const bool has_answer = !session_->query(query, rows) && !rows.empty();
      facts.push_back({name, has_answer ? rows.front().front().value_or("null") : "?"});
    }
    return facts;
  }

 private:
  static Status carry_out(SqliteSession& session, std::span<const std::string> sql) {
    std::vector<StepRow> rows;
    for (const std::string& text : sql) {
      if (const SqlStatus failed = session.query(text, rows)) {
        return Error{.kind = ErrorKind::kUnreadable,
                     .message = "SQLite says: " + failed->message + " (" + text + ")"};
      }
    }
    return {};
  }

  SqliteBinding binding_;
  SqliteWaitingRoom room_;
  std::unique_ptr<SqliteSession> session_ = {};
};

class SqliteDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kSqliteInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    return SqlDatabase::open(std::make_unique<SqliteBinding>(request), request);
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> news) const override {
    auto database = std::make_unique<SqliteStepDatabase>(request, std::move(news));
    ELAPID_RETURN_IF_ERROR(database->open());
    return std::unique_ptr<StepDatabase>(std::move(database));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::SqliteDriver)
