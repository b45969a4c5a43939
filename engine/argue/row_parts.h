// The parts of rows (engine/verdict/rows_evidence.h): their writers, and their values after each
// write.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// The initial transaction, which precedes all reads; none() if no committed one is recorded.
[[nodiscard]] inline TxnId certain_initial(const History& history) {
  const TxnId initial = history.info().initial_txn;
  return !initial.is_none() && history.committed(initial) ? initial : TxnId::none();
}

/// Parts of one row, a bit each.
using PartSet = std::uint64_t;

/// The known parts of a row.
struct RowParts {
  PartSet known = 0;
  bool exists = false;
  ValueId version = ValueId::nil();
  std::vector<std::pair<rows::ColumnId, ValueId>> columns = {};  ///< missing: none()

  [[nodiscard]] bool knows(std::uint32_t part) const { return (known >> part & 1U) != 0; }

  /// The value of a known column; none() if the column is missing.
  [[nodiscard]] ValueId column(rows::ColumnId column) const;
  void set_column(rows::ColumnId column, ValueId value);

  /// The value of a part by its number; for the existence, a value as is_there() takes it.
  [[nodiscard]] ValueId part(std::uint32_t part) const;
  void set_part(std::uint32_t part, ValueId value);
  void forget(PartSet parts);

  /// Whether the row exists for certain. A column with a value tells so, too.
  [[nodiscard]] bool must_exist() const;

  static constexpr ValueId existence(bool exists) {
    return exists ? ValueId::integer(1) : ValueId::nil();
  }

  static constexpr bool is_there(ValueId existence) { return !existence.is_nil(); }
};

[[nodiscard]] inline std::uint32_t part_of(rows::ColumnId column) {
  return kFirstColumn + column.value;
}

/// Assumptions about writes. They depend on the level.
struct WriteOptions {
  /// If a transaction does not know that a row exists, its delete of the row may not write it. That
  /// matters at snapshot isolation and where operations may concern old versions.
  bool deletes_may_miss = false;
  /// The rows that a predicate shows exist where its transaction reads. False at repeatable read.
  bool knows_by_predicate = true;
  /// The same for reads of single rows. False at read committed and read atomic.
  bool knows_by_read = true;
  /// A delete by key concerns the version at its transaction's read. False at read committed.
  bool deletes_newest_by_key = true;
};

/// The rows that each operation writes, surely or perhaps. A delete of a row that may not
/// exist is a perhaps; so is a write by a predicate without recorded matches. Borrows the
/// history.
class RowWrites {
 public:
  RowWrites(const History& history, WriteOptions options);

  /// Whether the finds and writes of transactions can be modelled: there are few columns, and no
  /// limited writes of unrecorded rows.
  [[nodiscard]] bool is_supported() const { return is_supported_; }

  /// Whether the finds of operations can also be modelled row by row, by choices. Requires known
  /// contents of all unnamed rows that were written, and no more rows read than asked for.
  [[nodiscard]] bool has_choices() const { return has_choices_; }

  /// Writes, writers and rows looked at so far by all callers: the measure of time.
  [[nodiscard]] std::uint64_t looked() const { return looked_; }

  void note_looked(std::uint64_t count) const { looked_ += count; }

  /// The rows that the operation surely writes, in the order of its results.
  [[nodiscard]] std::vector<KeyId> rows_of(TxnId txn, std::uint32_t mop) const;

  /// Calls `visit(mop, op, is_sure)` for each of the first `count` operations that may write the
  /// row, in order.
  template <class Visit>
  void each_write(TxnId txn, std::uint32_t count, KeyId row, Visit visit) const {
    auto named = first_touch(txn, row);
    auto unnamed = first_unnamed(txn);
    ++looked_;
    while (true) {
      const bool has_named = named != touches_.end() && named->txn == txn && named->row == row;
      const bool has_unnamed = unnamed != unnamed_.end() && unnamed->txn == txn;
      if (!has_named && !has_unnamed) {
        return;
      }
      ++looked_;
      const bool is_named = has_named && (!has_unnamed || named->mop < unnamed->mop);
      const std::uint32_t mop = is_named ? named->mop : unnamed->mop;
      const bool is_sure = is_named && named->is_sure;
      is_named ? void(++named) : void(++unnamed);
      if (mop >= count) {
        return;
      }
      const rows::RowOp& op = this->op(txn, mop);
      if (is_named || may_match(op, row)) {
        visit(mop, op, is_sure);
      }
    }
  }

  /// The parts of each row that the operation writes.
  [[nodiscard]] PartSet written(const rows::RowOp& op) const;

  /// Applies an operation that writes the row to the row's known parts.
  void apply(const rows::RowOp& op, RowParts& row) const;

  /// The transactions that may have taken effect and may write the part, ascending.
  [[nodiscard]] const std::vector<TxnId>& writers(KeyId row, std::uint32_t part) const;

  /// The parts of a row after a transaction, as far as the transaction surely writes them; with
  /// none(): the initial parts.
  [[nodiscard]] RowParts left_by(TxnId txn, KeyId row) const;

  /// The known parts of any row at the beginning: in an open universe nearly none.
  [[nodiscard]] RowParts at_first() const;

  /// Whether the transaction determines all parts of the row that it leaves behind.
  [[nodiscard]] bool writes_all(TxnId txn, KeyId row) const;

  /// Whether the operation is a delete after which the row is missing for the transaction, whatever
  /// it was before.
  [[nodiscard]] bool ends(const rows::RowOp& op, KeyId row) const;

  /// All values that the part of the row may have after the transaction, if it writes the part.
  [[nodiscard]] std::vector<ValueId> may_leave(TxnId txn, KeyId row, std::uint32_t part) const;

  /// Applies the transaction's first `count` operations to the known parts of the row.
  void carry_out(TxnId txn, std::uint32_t count, KeyId row, RowParts& known) const;

  /// Whether the operation may have found its result, by these known parts of one row, with own
  /// writes. All other rows and parts may be anything. `as`: how it found this row.
  [[nodiscard]] bool may_find(TxnId txn, std::uint32_t mop, KeyId row, const RowParts& known,
                              std::uint32_t as = kAsRecorded) const;

  [[nodiscard]] std::uint32_t part_count() const { return part_count_; }

  [[nodiscard]] const rows::Rows& rows() const { return rows_; }

  [[nodiscard]] const rows::RowOp& op(TxnId txn, std::uint32_t mop) const {
    return rows_.op(history_.ops(txn)[mop]);
  }

 private:
  /// A named row that an operation may write.
  struct Touch {
    TxnId txn;
    KeyId row;
    std::uint32_t mop = 0;
    bool is_sure = true;
    friend auto operator<=>(const Touch&, const Touch&) = default;
  };

  /// A write of unnamed rows.
  struct Unnamed {
    TxnId txn;
    std::uint32_t mop = 0;
  };

  void note(TxnId txn, WriteOptions options);
  [[nodiscard]] bool may_show(const rows::RowOp& op, const rows::ShownRow& shown,
                              const RowParts& row) const;
  [[nodiscard]] bool may_match(const rows::RowOp& op, KeyId row) const;
  /// Whether the predicate may match the row. `shown`: its contents in a result, or null.
  [[nodiscard]] bool may_match(const rows::RowOp& op, KeyId key, const RowParts& row,
                               const rows::ShownRow* shown) const;
  [[nodiscard]] bool may_miss(const rows::RowOp& op, KeyId key, const RowParts& row) const;
  [[nodiscard]] const std::vector<Unnamed>& unnamed_of(KeyId row) const;
  [[nodiscard]] std::vector<Touch>::const_iterator first_touch(TxnId txn, KeyId row) const;
  [[nodiscard]] std::vector<Unnamed>::const_iterator first_unnamed(TxnId txn) const;

  const History& history_;
  const rows::Rows& rows_;
  std::uint32_t part_count_;
  bool is_supported_ = true;
  bool has_choices_ = true;
  // Whether a delete concerns the version at its transaction's read: by a predicate, and by key.
  bool deletes_newest_;
  bool deletes_newest_by_key_;
  std::vector<Touch> touches_;    // ascending
  std::vector<Unnamed> unnamed_;  // by transaction and operation
  // For rows that were asked about: their unnamed writers. All writers are in writers_.
  mutable std::unordered_map<std::uint32_t, std::vector<Unnamed>> unnamed_of_;
  mutable std::unordered_map<std::size_t, std::vector<TxnId>> all_writers_;
  mutable std::uint64_t looked_ = 0;
  std::vector<std::vector<TxnId>> writers_;  // of named rows, by row and part
};

/// For an operation that found as many rows as its limit: the key of the last row; it says nothing
/// about rows beyond. Nothing: it speaks of all rows.
[[nodiscard]] std::optional<std::int64_t> last_key(const History& history, const rows::RowOp& op);

}  // namespace elapid::argue
