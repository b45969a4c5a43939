// An SQL database as the queue of jobs needs it: SQLite in the service's own folder, or a
// PostgreSQL that several services share. Both take `$1` for values and know RETURNING, so that the
// queue's statements are written once.
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

/// Whether what a statement did must outlive a power cut, or only the death of the service.
enum class Durability : std::uint8_t { kOutlivesPowerCut, kOutlivesProcess };

/// Safe from several threads, one statement at a time.
class Database {
 public:
  virtual ~Database() = default;

  /// Runs one statement; what it returns. Error kUnreadable: the database failed or cannot be
  /// reached; a statement that failed did nothing.
  virtual Result<Rows> run(std::string_view sql, const std::vector<Cell>& values,
                           Durability durability = Durability::kOutlivesPowerCut) = 0;

  /// Runs `work` in a transaction, which is rolled back if it gives an error. `work` may call run()
  /// of this database, and no other thread's statement comes between.
  virtual Status transact(const std::function<Status()>& work) = 0;

  /// Where the two differ.
  struct Dialect {
    std::string_view now;       ///< an expression: milliseconds since 1970, by the database's clock
    std::string_view sequence;  ///< type of a column that numbers the rows
    std::string_view bytes;     ///< type of a column of bytes
    std::string_view skip_locked;  ///< behind the SELECT of a row to take
  };

  [[nodiscard]] virtual const Dialect& dialect() const = 0;

  /// Bytes as a value for a column of bytes, and back.
  [[nodiscard]] virtual std::string to_cell(std::string_view bytes) const = 0;
  [[nodiscard]] virtual std::string from_cell(std::string_view cell) const = 0;
};

/// A file, which is made if there is none. Error
/// kUnreadable: it cannot be opened, or is no database.
Result<std::unique_ptr<Database>> open_sqlite(const std::string& path);

/// `postgresql://...`, as libpq takes it. A connection that is lost is made again by the next
/// statement. Error kUnreadable: there is no server.
Result<std::unique_ptr<Database>> open_postgres(const std::string& uri);

}  // namespace elapid::http
