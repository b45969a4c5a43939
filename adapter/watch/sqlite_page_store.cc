#include "adapter/watch/sqlite_page_store.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

#include "adapter/watch/checksum.h"
#include "adapter/watch/state_damage.h"

namespace elapid {

namespace {

/// The statement as SQLite stores it: a database with other tables belongs to another version. The
/// number is the version of the bytes' meaning.
constexpr const char* kPagesTable =
    "CREATE TABLE pages (owner INTEGER NOT NULL, name INTEGER NOT NULL,"
    " physical INTEGER NOT NULL, rest INTEGER NOT NULL, bytes BLOB NOT NULL,"
    " checksum INTEGER NOT NULL, UNIQUE (owner, name, physical, rest))";
constexpr const char* kStateTable =
    "CREATE TABLE state (name TEXT PRIMARY KEY, bytes BLOB NOT NULL, checksum INTEGER NOT NULL"
    " /* format 3 */) WITHOUT ROWID";

/// The record with the sum of all other checksums.
constexpr const char* kSum = "sum";

std::int64_t rest_of(Moment moment) {
  return std::int64_t{moment.logical} << 2 | moment.kind;
}

Moment moment_of(std::int64_t physical, std::int64_t rest) {
  return {physical, static_cast<std::uint32_t>(rest >> 2), static_cast<Moment::Kind>(rest & 3)};
}

std::uint64_t page_checksum(PageOwner owner, Moment begin, std::string_view bytes) {
  std::uint64_t sum = static_cast<std::uint64_t>(owner.kind);
  for (const std::uint64_t part : {owner.name.bits(), static_cast<std::uint64_t>(begin.physical),
                                   static_cast<std::uint64_t>(rest_of(begin))}) {
    sum = checksum({reinterpret_cast<const char*>(&part), sizeof part}, sum);
  }
  return checksum(bytes, sum);
}

/// The checksum of a page's rowid, owner, name, physical and rest.
std::uint64_t place_checksum(const std::array<std::int64_t, 5>& place) {
  return checksum({reinterpret_cast<const char*>(place.data()), sizeof place}, 0);
}

std::uint64_t record_checksum(std::string_view name, std::string_view bytes) {
  return checksum(bytes, checksum(name, 0));
}

/// The URI by which SQLite reads an unchanging file, without its lock and its log.
std::string unchanging_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).lexically_normal().string()) {
    uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  return uri + "?immutable=1";
}

}  // namespace

/// A prepared statement, reused.
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

  /// Binds bytes, which must live until the statement is done.
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

  /// Steps to the next row; false if there is none.
  bool step() {
    if (statement_ == nullptr) {
      return false;
    }
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      store_.note(code);
    }
    return code == SQLITE_ROW;
  }

  [[nodiscard]] std::int64_t number(int column) const {
    return sqlite3_column_int64(statement_, column);
  }

  [[nodiscard]] std::uint64_t checksum(int column) const {
    return static_cast<std::uint64_t>(number(column));
  }

  /// The first columns as numbers.
  template <std::size_t count>
  [[nodiscard]] std::array<std::int64_t, count> numbers() const {
    std::array<std::int64_t, count> numbers = {};
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = number(static_cast<int>(i));
    }
    return numbers;
  }

  /// A column's bytes, valid until the next step.
  [[nodiscard]] std::string_view view(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
  }

  [[nodiscard]] std::string bytes(int column) const { return std::string(view(column)); }

  void done() {
    sqlite3_reset(statement_);
    bound_ = 0;
  }

 private:
  SqlitePageStore& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

Result<std::unique_ptr<SqlitePageStore>> SqlitePageStore::open(const std::string& path,
                                                               std::size_t cache) {
  std::unique_ptr<SqlitePageStore> store(new SqlitePageStore(path, cache));
  store->open();
  if (!store->status_.ok()) {
    return store->status_.error();
  }
  return store;
}

SqlitePageStore::SqlitePageStore(std::string path, std::size_t cache)
    : path_(std::move(path)), cache_(cache) {}

void SqlitePageStore::open() {
  note(sqlite3_open_v2(path_.c_str(), &database_,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr));
  run("PRAGMA page_size = 8192");
  set_cache();
  run("PRAGMA cell_size_check = ON");
  run("PRAGMA locking_mode = EXCLUSIVE");
  // A temporary database need not survive a crash.
  run(path_.empty() ? "PRAGMA journal_mode = OFF" : "PRAGMA journal_mode = WAL");
  run(path_.empty() ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL");
  run("BEGIN IMMEDIATE");
  const bool is_new = make_tables();
  if (!status_.ok()) {
    return;
  }
  prepare();
  if (!is_new) {
    const std::string sum = get(kSum).value_or("");
    (void)std::from_chars(sum.data(), sum.data() + sum.size(), sum_);
    begin_to_verify();
  }
}

/// Moves the log's content into the file first, since the file is what will be read.
void SqlitePageStore::begin_to_verify() {
  run("COMMIT");
  const auto is_busy = text_of("PRAGMA wal_checkpoint(TRUNCATE)");
  run("BEGIN IMMEDIATE");
  if (status_.ok() && is_busy != "0") {
    note(SQLITE_BUSY);
  }
  if (status_.ok()) {
    verified_ = std::async(std::launch::async, &SqlitePageStore::verify_file, path_).share();
  }
}

Status SqlitePageStore::verify_file(const std::string& path) {
  constexpr std::size_t kCache = std::size_t{4} << 20;  // each page is read once
  SqlitePageStore file(path, kCache);
  file.open_unchanging();
  if (file.status_.ok()) {
    file.verify();
  }
  return file.status_;
}

void SqlitePageStore::set_cache() {
  run(("PRAGMA cache_size = -" + std::to_string(std::max<std::size_t>(cache_ >> 10, 1))).c_str());
}

void SqlitePageStore::open_unchanging() {
  note(sqlite3_open_v2(unchanging_uri(path_).c_str(), &database_,
                       SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr));
  set_cache();
  run("PRAGMA cell_size_check = ON");
  prepare();
}

bool SqlitePageStore::is_verified() const {
  return !verified_.valid() ||
         verified_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// Creates the tables in a new database, and compares those of an old one. True if it is new.
bool SqlitePageStore::make_tables() {
  const auto count = text_of("SELECT count(*) FROM sqlite_schema");
  if (count == "0") {
    run(kPagesTable);
    run(kStateTable);
    return true;
  }
  const auto pages = text_of("SELECT sql FROM sqlite_schema WHERE name = 'pages'");
  const auto state = text_of("SELECT sql FROM sqlite_schema WHERE name = 'state'");
  if (status_.ok() && (pages != kPagesTable || state != kStateTable || count != "3")) {
    status_ = Error{.kind = ErrorKind::kUnreadable,
                    .message =
                        "expected the tables of this version of elapid, found others (the "
                        "state is another version's, or damaged); remove its directory and "
                        "send the stream from the beginning",
                    .file = path_};
  }
  return false;
}

void SqlitePageStore::prepare() {
  find_ =
      std::make_unique<Statement>(*this,
                                  "SELECT rowid, checksum FROM pages"
                                  " WHERE owner = ? AND name = ? AND physical = ? AND rest = ?");
  insert_ = std::make_unique<Statement>(*this, "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)");
  update_ = std::make_unique<Statement>(*this,
                                        "UPDATE pages SET bytes = ?, checksum = ? WHERE rowid = ?");
  last_up_to_ = std::make_unique<Statement>(
      *this,
      "SELECT physical, rest, bytes, checksum FROM pages WHERE owner = ? AND name = ?"
      " AND (physical, rest) <= (?, ?) ORDER BY physical DESC, rest DESC LIMIT 1");
  first_after_ = std::make_unique<Statement>(
      *this,
      "SELECT physical, rest, bytes, checksum FROM pages WHERE owner = ? AND name = ?"
      " AND (physical, rest) > (?, ?) ORDER BY physical, rest LIMIT 1");
  put_ = std::make_unique<Statement>(
      *this,
      "INSERT INTO state VALUES (?, ?, ?)"
      " ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum");
  get_ = std::make_unique<Statement>(*this, "SELECT bytes, checksum FROM state WHERE name = ?");
}

/// Verifies that the database is what the last commit wrote.
void SqlitePageStore::verify() {
  verify_structure();
  verify_records();
  const std::uint64_t sum = sum_;
  const std::string expected = get(kSum).value_or(std::to_string(std::uint64_t{0}));
  if (status_.ok() && expected != std::to_string(sum)) {
    note_damage("the records of the database are not those of one checkpoint");
  }
}

/// Verifies the trees and the list of free pages, so that later writes destroy nothing.
void SqlitePageStore::verify_structure() {
  const auto found = text_of("PRAGMA quick_check(1)");
  if (status_.ok() && found != "ok") {
    note_damage("the database: " + found.value_or("nothing"));
  }
}

/// Verifies all records and the index. Table and index are read one after the other: a lookup for
/// each entry takes twice as long. Equal sums of the places show that they agree.
void SqlitePageStore::verify_records() {
  const std::uint64_t places = verify_pages();
  if (status_.ok() && verify_index() != places) {
    note_damage("the index of the database's pages");
  }
  Statement records(*this, "SELECT name, bytes, checksum FROM state");
  while (status_.ok() && records.step()) {
    if (records.checksum(2) != record_checksum(records.bytes(0), records.bytes(1))) {
      note_damage("a record of the database");
    }
    sum_ += records.bytes(0) == kSum ? 0 : records.checksum(2);
  }
}

/// Verifies the pages of the table. Returns the sum of their place_checksum().
std::uint64_t SqlitePageStore::verify_pages() {
  Statement pages(*this,
                  "SELECT rowid, owner, name, physical, rest, bytes, checksum FROM pages NOT "
                  "INDEXED ORDER BY rowid");
  std::uint64_t places = 0;
  while (status_.ok() && pages.step()) {
    const PageOwner owner = {static_cast<PageOwner::Kind>(pages.number(1)),
                             Atom::from_bits(static_cast<std::uint64_t>(pages.number(2)))};
    const Moment begin = moment_of(pages.number(3), pages.number(4));
    if (pages.checksum(6) != page_checksum(owner, begin, pages.view(5))) {
      note_damage("a page of the database");
    }
    sum_ += pages.checksum(6);
    places += place_checksum(pages.numbers<5>());
  }
  return places;
}

/// Verifies the order of the index. Returns the same sum, from the index.
std::uint64_t SqlitePageStore::verify_index() {
  Statement index(*this,
                  "SELECT rowid, owner, name, physical, rest FROM pages"
                  " INDEXED BY sqlite_autoindex_pages_1 ORDER BY owner, name, physical, rest");
  std::array<std::int64_t, 5> before = {};
  std::uint64_t places = 0;
  for (bool is_first = true; status_.ok() && index.step(); is_first = false) {
    const std::array<std::int64_t, 5> entry = index.numbers<5>();
    if (!is_first && std::lexicographical_compare(entry.begin() + 1, entry.end(),
                                                  before.begin() + 1, before.end())) {
      note_damage("the index of the database's pages");
    }
    before = entry;
    places += place_checksum(entry);
  }
  return places;
}

SqlitePageStore::~SqlitePageStore() {
  find_.reset();
  insert_.reset();
  update_.reset();
  last_up_to_.reset();
  first_after_.reset();
  put_.reset();
  get_.reset();
  sqlite3_close(database_);
}

void SqlitePageStore::note(int code) {
  if (code == SQLITE_OK || !status_.ok()) {
    return;
  }
  const std::string what =
      std::string("the database: ") +
      (database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_));
  const int kind = code & 0xff;
  status_ = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB
                ? state_damage(path_, what)
                : Error{.kind = ErrorKind::kUnreadable, .message = what, .file = path_};
}

void SqlitePageStore::run(const char* sql) {
  if (status_.ok()) {
    note(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr));
  }
}

void SqlitePageStore::note_damage(std::string_view what) {
  if (status_.ok()) {
    status_ = state_damage(path_, what);
  }
}

/// The first column of the first row, as text; nothing if there is no row.
std::optional<std::string> SqlitePageStore::text_of(const char* sql) {
  if (!status_.ok()) {
    return std::nullopt;
  }
  Statement statement(*this, sql);
  return status_.ok() && statement.step() ? std::optional(statement.bytes(0)) : std::nullopt;
}

void SqlitePageStore::save(PageOwner owner, Moment begin, std::string_view bytes) {
  const std::uint64_t sum = page_checksum(owner, begin, bytes);
  const bool is_there = find_->bind(owner).bind(begin).step();
  const std::int64_t row = is_there ? find_->number(0) : 0;
  sum_ += sum - (is_there ? find_->checksum(1) : 0);
  find_->done();
  if (is_there) {
    update_->bind(bytes).bind(static_cast<std::int64_t>(sum)).bind(row).step();
    update_->done();
  } else {
    insert_->bind(owner).bind(begin).bind(bytes).bind(static_cast<std::int64_t>(sum)).step();
    insert_->done();
  }
}

std::optional<StoredPage> SqlitePageStore::find(Statement& statement, PageOwner owner,
                                                Moment moment) {
  std::optional<StoredPage> page;
  if (statement.bind(owner).bind(moment).step()) {
    page = {moment_of(statement.number(0), statement.number(1)), statement.bytes(2)};
    if (statement.checksum(3) != page_checksum(owner, page->begin, page->bytes)) {
      note_damage("a page of the database");
      page.reset();
    }
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
  if (get_->bind(std::string_view(name)).step()) {
    sum_ -= get_->checksum(1);
  }
  get_->done();
  sum_ += record_checksum(name, bytes);
  put_record(name, bytes);
}

void SqlitePageStore::put_record(const std::string& name, std::string_view bytes) {
  put_->bind(std::string_view(name))
      .bind(bytes)
      .bind(static_cast<std::int64_t>(record_checksum(name, bytes)))
      .step();
  put_->done();
}

std::optional<std::string> SqlitePageStore::get(const std::string& name) {
  std::optional<std::string> bytes;
  if (get_->bind(std::string_view(name)).step()) {
    bytes = get_->bytes(0);
    if (get_->checksum(1) != record_checksum(name, *bytes)) {
      note_damage("a record of the database");
      bytes.reset();
    }
  }
  get_->done();
  return bytes;
}

void SqlitePageStore::commit() {
  if (const Status verified = this->verified(); status_.ok() && !verified.ok()) {
    status_ = verified;
  }
  if (!status_.ok()) {
    return;
  }
  put_record(kSum, std::to_string(sum_));
  run("COMMIT");
  run("BEGIN IMMEDIATE");
}

}  // namespace elapid
