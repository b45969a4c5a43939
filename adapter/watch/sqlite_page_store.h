// Pages and a state in an SQLite database: of a directory, or a temporary one.
//
// SQLite rather than RocksDB: a page is written once or twice and read next to never, so that a
// B-tree file is fast enough; everything between two commits is there or not, which a restart after
// a kill rests on; and it has no threads of its own.
#ifndef ELAPID_ADAPTER_WATCH_SQLITE_PAGE_STORE_H_
#define ELAPID_ADAPTER_WATCH_SQLITE_PAGE_STORE_H_

#include <cstdint>
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
  /// The database of a file, which is made if there is none; an empty path is a temporary database,
  /// whose file nobody sees. What was not committed is gone. Error kUnreadable, also if another
  /// process has the file open.
  static Result<std::unique_ptr<SqlitePageStore>> open(const std::string& path);
  ~SqlitePageStore() override;
  SqlitePageStore(const SqlitePageStore&) = delete;
  SqlitePageStore& operator=(const SqlitePageStore&) = delete;

  void save(PageOwner owner, Moment begin, std::string_view bytes) override;
  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override;
  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override;

  /// Something that is not a page, by a name of its own.
  void put(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::optional<std::string> get(const std::string& name);

  /// Makes everything since the last commit last.
  void commit();

  /// The first error that there was: kUnreadable.
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  class Statement;

  explicit SqlitePageStore(std::string path);

  void open();
  void run(const char* sql);
  void note(int code);
  std::optional<StoredPage> find(Statement& statement, PageOwner owner, Moment moment);

  std::string path_;
  sqlite3* database_ = nullptr;
  std::unique_ptr<Statement> save_;
  std::unique_ptr<Statement> last_up_to_;
  std::unique_ptr<Statement> first_after_;
  std::unique_ptr<Statement> put_;
  std::unique_ptr<Statement> get_;
  Status status_;
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_WATCH_SQLITE_PAGE_STORE_H_
