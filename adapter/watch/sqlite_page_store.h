// Pages and a state in an SQLite database: of a directory, or a temporary one.
//
// SQLite rather than RocksDB: a page is written once or twice and read next to never, so that a
// B-tree file is fast enough; everything between two commits is there or not, which a restart after
// a kill rests on; and it has no threads of its own.
//
// SQLite believes its files. So each record has a checksum, which is looked at whenever it is read,
// and the database has the sum of all of them: a record that is missing, or is that of another
// commit, shows when all is read. A thread of its own does that, through another connection, while
// the database is used; until it has ended nothing is committed, so that the file does not change.
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

  /// The database of a file, which is made if there is none; an empty path is a temporary database
  /// without a visible file. `cache`: bytes in memory, about. What was not committed is gone.
  /// Begins to read everything that is there: see verified(). Error kUnreadable, also if the
  /// database is of another format or seen to be damaged, or if another process has it open.
  static Result<std::unique_ptr<SqlitePageStore>> open(const std::string& path,
                                                       std::size_t cache = kMostCache);
  ~SqlitePageStore() override;
  SqlitePageStore(const SqlitePageStore&) = delete;
  SqlitePageStore& operator=(const SqlitePageStore&) = delete;

  void save(PageOwner owner, Moment begin, std::string_view bytes) override;
  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override;
  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override;

  /// Whether everything is there that the last commit left. Waits until that is known. Error
  /// kUnreadable: the database is damaged, and nothing that it says is to be believed.
  [[nodiscard]] Status verified() const { return verified_.valid() ? verified_.get() : Status(); }

  /// Whether verified() need not wait.
  [[nodiscard]] bool is_verified() const;

  // Except for these two, by one thread at a time.

  /// Something that is not a page, by a name of its own.
  void put(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::optional<std::string> get(const std::string& name);

  /// Makes everything since the last commit last, also through a power cut. Waits for verified(),
  /// and does nothing if that fails.
  void commit();

  /// kUnreadable.
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
  std::shared_future<Status> verified_;  // the last member: its thread uses nothing of this
};

}  // namespace elapid
