// The parts of rows (engine/verdict/rows_evidence.h): who writes them, and what each leaves there.
#ifndef ELAPID_ENGINE_ARGUE_ROW_PARTS_H_
#define ELAPID_ENGINE_ARGUE_ROW_PARTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// The initial transaction, before which nobody reads; none() if there is none that committed.
[[nodiscard]] inline TxnId certain_initial(const History& history) {
  const TxnId initial = history.info().initial_txn;
  return !initial.is_none() && history.committed(initial) ? initial : TxnId::none();
}

/// Parts of one row, a bit each.
using PartSet = std::uint64_t;

/// A row, as far as its parts are known.
struct RowParts {
  PartSet known = 0;
  bool exists = false;
  ValueId version = ValueId::nil();
  std::vector<std::pair<rows::ColumnId, ValueId>> columns = {};  ///< missing: none()

  [[nodiscard]] bool knows(std::uint32_t part) const { return (known >> part & 1U) != 0; }

  /// Of a column that is known; none() if it is missing.
  [[nodiscard]] ValueId column(rows::ColumnId column) const;
  void set_column(rows::ColumnId column, ValueId value);
};

[[nodiscard]] inline std::uint32_t part_of(rows::ColumnId column) {
  return kFirstColumn + column.value;
}

/// What one operation does to one row that it surely writes.
struct RowWrite {
  KeyId row;
  const rows::RowOp* op = nullptr;
};

/// Borrows the history.
class RowWrites {
 public:
  /// `knows_by_predicate`: what a predicate shows is there now.
  explicit RowWrites(const History& history, bool knows_by_predicate = true);

  /// Whether everything that the history's transactions may have found or written can be told row
  /// by row: no results without keys but empty ones, no limits, no writes of rows that a predicate
  /// found and nobody recorded. And there are few columns.
  [[nodiscard]] bool is_supported() const { return is_supported_; }

  /// Whether some transaction deletes a row of which it does not know that it exists: it may then
  /// have written nothing, which at snapshot isolation and repeatable read makes a difference.
  [[nodiscard]] bool has_vague_deletes() const { return has_vague_deletes_; }

  /// The rows that the operation writes, in order.
  [[nodiscard]] std::vector<KeyId> rows_of(const rows::RowOp& op) const;

  /// The parts of each row that the operation writes.
  [[nodiscard]] PartSet written(const rows::RowOp& op) const;

  /// What the operation makes of what is known of a row; what it writes is known then.
  void apply(const rows::RowOp& op, RowParts& row) const;

  /// Transactions that may have taken effect and write the part, ascending.
  [[nodiscard]] std::span<const TxnId> writers(KeyId row, std::uint32_t part) const;

  /// What a transaction leaves behind of what it writes of a row; with none() an unborn one.
  [[nodiscard]] RowParts left_by(TxnId txn, KeyId row) const;

  /// Whether the transaction leaves all parts of the row behind as it has made them.
  [[nodiscard]] bool writes_all(TxnId txn, KeyId row) const;

  /// What it has made of the row before its operation number `mop`.
  [[nodiscard]] RowParts own(TxnId txn, std::uint32_t mop, KeyId row) const;

  /// Whether the operation could have found what it did, as far as these parts of rows, own writes
  /// included, tell. All other rows and parts may be anything.
  [[nodiscard]] bool may_find(TxnId txn, std::uint32_t mop,
                              const std::map<KeyId, RowParts>& known) const;

  [[nodiscard]] std::uint32_t part_count() const { return part_count_; }

 private:
  void note(TxnId txn, bool knows_by_predicate);

  const History& history_;
  const rows::Rows& rows_;
  std::uint32_t part_count_;
  bool is_supported_ = true;
  bool has_vague_deletes_ = false;
  std::vector<std::vector<TxnId>> writers_;  // by row and part
};

}  // namespace elapid::argue

#endif  // ELAPID_ENGINE_ARGUE_ROW_PARTS_H_
