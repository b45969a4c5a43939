// Small random histories of rows and predicates: a store's answers to random transactions, often
// changed in one place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows_builder.h"

namespace elapid {

/// A history that can be changed. Rows, columns and versions are small numbers; version 0 is the
/// initial one.
struct RowsSketch {
  using Column = std::pair<std::uint32_t, std::optional<std::int64_t>>;  ///< nothing: null

  struct Shown {
    std::int64_t row = 0;
    std::int64_t version = 0;
    std::vector<Column> columns = {};
  };

  struct Operation {
    rows::RowOpKind kind = rows::RowOpKind::kRead;
    std::int64_t row = 0;
    rows::Predicate predicate = {};
    std::int64_t version = 0;  ///< that it makes
    std::vector<Column> written = {};
    rows::Known known = rows::Known::kNothing;
    std::vector<Shown> shown = {};
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  struct Transaction {
    std::int64_t session = 0;
    TxnStatus status = TxnStatus::kCommitted;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool has_invocation = true;
    std::vector<Operation> operations = {};
  };

  bool is_closed = true;
  bool has_initial = false;  ///< the first transaction is the initial one
  bool has_times = true;
  std::uint32_t columns = 1;
  std::vector<Transaction> transactions = {};
};

enum class RowsVariety : std::uint8_t {
  kAll,
  kPlain,      ///< whole numbers, ranges, results with rows; no deletes, nothing at the beginning
  kRegisters,  ///< nothing but puts of one column and reads by key
};

/// The same for the same seed. Up to 6 transactions, 4 rows (2 in an open universe, of one column),
/// 2 columns and 3 predicates a transaction.
[[nodiscard]] RowsSketch random_rows(std::uint64_t seed, RowsVariety variety = RowsVariety::kAll);

/// The same where the invocations of some transactions were not recorded. Requires times.
[[nodiscard]] RowsSketch without_some_invocations(RowsSketch sketch, std::uint64_t seed);

/// Error where the sketch contradicts itself.
[[nodiscard]] Result<History> build(const RowsSketch& sketch);

/// A history from lines `SESSION: OPERATION OPERATION...`, in the notation of engine/rows/parse.h;
/// a transaction a line. `SESSION!:` was aborted, `SESSION?:` is indeterminate. `SESSION@3-5:` was
/// invoked at 3 and completed at 5; all lines have times or none. The line `init {7 15}` says what
/// the rows hold at the beginning, `open` that there may be more.
[[nodiscard]] History rows_history(std::string_view text);

/// Whether some transaction that did something committed: else there is nothing to judge.
[[nodiscard]] bool says_something(const History& history);

/// Whether some operation deletes a row by its key. Proofs about read atomic may rest on one, and
/// then show nothing (docs/predicates.md).
[[nodiscard]] bool deletes_by_key(const History& history);

/// A line a transaction.
[[nodiscard]] std::string rows_text(const History& history);

}  // namespace elapid
