// The parts of rows (engine/verdict/rows_evidence.h): their writers, and the state after each
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

/// The initial transaction, which comes before all reads; none() if there is no committed one.
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

  /// A part by its number; the existence as is_there() understands it.
  [[nodiscard]] ValueId part(std::uint32_t part) const;
  void set_part(std::uint32_t part, ValueId value);
  void forget(PartSet parts);

  static constexpr ValueId existence(bool exists) {
    return exists ? ValueId::integer(1) : ValueId::nil();
  }

  static constexpr bool is_there(ValueId existence) { return !existence.is_nil(); }
};

[[nodiscard]] inline std::uint32_t part_of(rows::ColumnId column) {
  return kFirstColumn + column.value;
}

/// What may differ between executions that find the same.
struct WriteOptions {
  /// A delete of a row of which its transaction does not know that it exists is not sure to write
  /// it, which at snapshot isolation and repeatable read makes a difference.
  bool deletes_may_miss = false;
  /// What a predicate shows is there where its transaction reads: not so at repeatable read.
  bool knows_by_predicate = true;
  /// The same of reads of single rows: not so at read committed.
  bool knows_by_read = true;
};

/// The rows that each operation writes, surely or perhaps. A delete of a row that may not exist
/// writes it perhaps, as does a write by a predicate whose matches were not recorded. Borrows the
/// history.
class RowWrites {
 public:
  RowWrites(const History& history, WriteOptions options);

  /// Whether it can be told what transactions may have found and written: there are few columns,
  /// and no limited writes of unrecorded rows.
  [[nodiscard]] bool is_supported() const { return is_supported_; }

  /// Whether what operations found can be told row by row besides, by choices: the contents of no
  /// unnamed rows that were written are known, and of no more that were read than were asked for.
  [[nodiscard]] bool has_choices() const { return has_choices_; }

  /// Writes, writers and rows looked at so far, by whom ever asks: what takes the time.
  [[nodiscard]] std::uint64_t looked() const { return looked_; }

  void note_looked(std::uint64_t count) const { looked_ += count; }

  /// The rows that the operation surely writes, in order.
  [[nodiscard]] std::vector<KeyId> rows_of(TxnId txn, std::uint32_t mop) const;

  /// Whether it writes the rows that its predicate matches, unnamed.
  [[nodiscard]] static bool is_unnamed(const rows::RowOp& op);

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

  /// What the operation makes of what is known of a row that it writes.
  void apply(const rows::RowOp& op, RowParts& row) const;

  /// Transactions that may have taken effect and may write the part, ascending.
  [[nodiscard]] const std::vector<TxnId>& writers(KeyId row, std::uint32_t part) const;

  /// What a transaction leaves behind of a row, as far as it is sure to write it; with none() what
  /// was there at first.
  [[nodiscard]] RowParts left_by(TxnId txn, KeyId row) const;

  /// What is known of any row at the beginning: in an open universe next to nothing.
  [[nodiscard]] RowParts at_first() const;

  /// Whether the transaction leaves all parts of the row behind as it has made them.
  [[nodiscard]] bool writes_all(TxnId txn, KeyId row) const;

  /// Whether the row is not there for the transaction after the operation, a delete, whatever it
  /// was before.
  [[nodiscard]] bool ends(const rows::RowOp& op, KeyId row) const;

  /// All that the part of the row may be after the transaction, if that writes it.
  [[nodiscard]] std::vector<ValueId> may_leave(TxnId txn, KeyId row, std::uint32_t part) const;

  /// What becomes of what is known of the row by the transaction's first `count` operations.
  void carry_out(TxnId txn, std::uint32_t count, KeyId row, RowParts& known) const;

  /// Whether the operation could have found what it did, as far as these parts of one row, own
  /// writes included, tell. All other rows and parts may be anything. `as`: how it found this row.
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
  /// Whether the predicate may match the row, which then holds what was shown, if that is known.
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
  bool deletes_newest_;           // deletes concern what is there where their transactions read
  std::vector<Touch> touches_;    // ascending
  std::vector<Unnamed> unnamed_;  // by transaction and operation
  // Of rows that were asked about: who may write them unnamed, and by place in writers_ all.
  mutable std::unordered_map<std::uint32_t, std::vector<Unnamed>> unnamed_of_;
  mutable std::unordered_map<std::size_t, std::vector<TxnId>> all_writers_;
  mutable std::uint64_t looked_ = 0;
  std::vector<std::vector<TxnId>> writers_;  // of named rows, by row and part
};

/// Whether the operation lists the rows that it found, or that it found none.
[[nodiscard]] bool lists_rows(const rows::RowOp& op);

/// Of an operation that found as many rows as it was limited to: the key of the last one, beyond
/// which it says nothing. Nothing: it speaks of all rows.
[[nodiscard]] std::optional<std::int64_t> last_key(const History& history, const rows::RowOp& op);

}  // namespace elapid::argue
