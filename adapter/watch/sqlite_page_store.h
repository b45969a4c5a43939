// Stores pages and a state in an SQLite database: of a directory, or a temporary one.
//
// Why SQLite and not RocksDB: a page is written once or twice and hardly ever read, so a B-tree
// file is fast enough. A commit is atomic, which a restart after a kill relies on. SQLite has no
// threads of its own.
//
// SQLite trusts its files. So each record has a checksum, which every read verifies, and the
// database has the sum of all checksums: reading all records shows whether one is missing or from
// another commit. A thread does that through another connection, while the database is used. Until
// it ends nothing is committed, so that the file does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/online/page_store.h"

struct sqlite3;
struct sqlite3_stmt;

namespace elapid {

class SqlitePageStore final : public PageStore {
 public:
  static constexpr std::size_t kMostCache = std::size_t{32} << 20;

  /// The database of a file, which is made if there is none; an empty path means a temporary
  /// database without a visible file. `cache`: approximate bytes in memory. Uncommitted changes are
  /// gone. Begins to read all records: see verified(). Error kUnreadable, also if the database has
  /// another format, is visibly damaged, or is open in another process.
  static Result<std::unique_ptr<SqlitePageStore>> open(const std::string& path,
                                                       std::size_t cache = kMostCache);
  ~SqlitePageStore() override;
  SqlitePageStore(const SqlitePageStore&) = delete;
  SqlitePageStore& operator=(const SqlitePageStore&) = delete;

  void save(PageOwner owner, Moment begin, std::string_view bytes) override;
  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override;
  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override;

  /// Whether everything of the last commit is there. Waits until that is known. Error kUnreadable:
  /// the database is damaged, and its contents must not be used.
  [[nodiscard]] Status verified() const { return verified_.valid() ? verified_.get() : Status(); }

  /// Whether verified() returns without waiting.
  [[nodiscard]] bool is_verified() const;

  // All functions but these two: by one thread at a time.

  /// Stores and returns bytes that are no page, by a name.
  void put(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::optional<std::string> get(const std::string& name);

  /// Makes all changes since the last commit permanent, also through a power cut. Waits for
  /// verified(), and does nothing if that fails.
  void commit();

  /// Error: kUnreadable.
  [[nodiscard]] Status status() const override { return status_; }

 private:
  class Statement;

  SqlitePageStore(std::string path, std::size_t cache);

  void open();
  void begin_to_verify();
  void set_cache();
  bool make_tables();
  void prepare();
  static Status verify_file(const std::string& path);
  void open_unchanging();
  void verify();
  void verify_structure();
  void verify_records();
  std::uint64_t verify_pages();
  std::uint64_t verify_index();
  void run(const char* sql);
  void note(int code);
  void note_damage(std::string_view what);
  [[nodiscard]] std::optional<std::string> text_of(const char* sql);
  std::optional<StoredPage> find(Statement& statement, PageOwner owner, Moment moment);
  void put_record(const std::string& name, std::string_view bytes);

  std::string path_;
  std::size_t cache_;
  sqlite3* database_ = nullptr;
  std::unique_ptr<Statement> find_;
  std::unique_ptr<Statement> insert_;
  std::unique_ptr<Statement> update_;
  std::unique_ptr<Statement> last_up_to_;
  std::unique_ptr<Statement> first_after_;
  std::unique_ptr<Statement> put_;
  std::unique_ptr<Statement> get_;
  std::uint64_t sum_ = 0;  // of the checksums of all records, modulo 2^64
  Status status_;
  std::shared_future<Status> verified_;  // the last member: its thread uses no other
};

}  // namespace elapid
