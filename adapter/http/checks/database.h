// An SQL database for the queue of jobs: SQLite in the service's own folder, or a PostgreSQL that
// several services share. Both take `$1` for values and know RETURNING, so the queue's statements
// are written once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"

namespace elapid::http {

/// A value of a statement or of a row; nothing is NULL.
using Cell = std::optional<std::string>;
using Row = std::vector<Cell>;
using Rows = std::vector<Row>;

/// Whether a statement's effect must outlive a power cut, or only the death of the service.
enum class Durability : std::uint8_t { kOutlivesPowerCut, kOutlivesProcess };

/// Safe from several threads, one statement at a time.
class Database {
 public:
  virtual ~Database() = default;

  /// Runs one statement and returns its rows. Error kUnreadable: the database failed or cannot be
  /// reached; a failed statement has no effect.
  virtual Result<Rows> run(std::string_view sql, const std::vector<Cell>& values,
                           Durability durability = Durability::kOutlivesPowerCut) = 0;

  /// Runs `work` in a transaction, which is rolled back if `work` returns an error. `work` may call
  /// run() of this database; no other thread's statement comes between.
  virtual Status transact(const std::function<Status()>& work) = 0;

  /// The differences between the two databases.
  struct Dialect {
    std::string_view now;       ///< an expression: milliseconds since 1970, by the database's clock
    std::string_view sequence;  ///< type of a column that numbers the rows
    std::string_view bytes;     ///< type of a column of bytes
    std::string_view skip_locked;  ///< after the SELECT of a row to take
  };

  [[nodiscard]] virtual const Dialect& dialect() const = 0;

  /// Bytes as a value for a column of bytes, and back.
  [[nodiscard]] virtual std::string to_cell(std::string_view bytes) const = 0;
  [[nodiscard]] virtual std::string from_cell(std::string_view cell) const = 0;
};

/// Opens a file, which is made if it does not exist. Error kUnreadable: it cannot be opened, or is
/// no database.
Result<std::unique_ptr<Database>> open_sqlite(const std::string& path);

/// `uri`: `postgresql://...`, as libpq takes it. The next statement renews a lost connection. Error
/// kUnreadable: there is no server.
Result<std::unique_ptr<Database>> open_postgres(const std::string& uri);

}  // namespace elapid::http
