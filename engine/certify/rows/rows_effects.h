// The effects of transactions on rows, given their known results: certain writes,
// possible writes, and the states that transactions leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// The parts of a row as a set; bit i is part i.
using PartBits = std::uint64_t;

/// The known state of a row after operations, and the parts that they certainly or perhaps wrote.
struct CarriedOut {
  KnownRow row = {};
  PartBits sure = 0;
  PartBits maybe = 0;
};

[[nodiscard]] constexpr PartBits part_bit(std::uint32_t part) {
  return PartBits{1} << part;
}

/// Borrows the history.
class RowsEffects {
 public:
  /// For a model, or for serializability or snapshot isolation. `any_row`: the facts about all rows
  /// at the beginning.
  RowsEffects(const History& history, bool has_two_events, Model model, KnownRow any_row);

  /// Why the effects of the operations are unknown, in one sentence. Nothing: the other functions
  /// may be called.
  [[nodiscard]] std::optional<std::string> flaw() const { return flaw_; }

  /// Whether predicates may have concerned earlier versions.
  [[nodiscard]] bool is_repeatable() const {
    return model_ == Model::kPl299 || is_read_committed();
  }

  /// Whether reads of single rows, and deletes of them, may have concerned earlier versions too.
  [[nodiscard]] bool is_read_committed() const {
    return model_ == Model::kPl2 || model_ == Model::kReadAtomic;
  }

  /// Whether the operation may have concerned earlier versions.
  [[nodiscard]] bool may_be_old(const rows::RowOp& op) const {
    const bool is_of_row = op.kind == rows::RowOpKind::kRead || op.kind == rows::RowOpKind::kDelete;
    return op.has_predicate() ? is_repeatable() : is_read_committed() && is_of_row;
  }

  /// The effect of the transaction's first `count` operations on a row, of which `row` is known.
  /// With a step: if no choice of the step's clause holds.
  [[nodiscard]] CarriedOut carried_out(TxnId txn, std::size_t count, KeyId key, KnownRow row,
                                       const RowsProofStep* step = nullptr) const;

  /// The row that a transaction leaves, for any contents that it found.
  [[nodiscard]] KnownRow left_by(TxnId txn, KeyId key) const;

  /// The row after the beginning, as far as it is certain: as the initial transaction made it, or
  /// else as it was before.
  [[nodiscard]] KnownRow first_version(KeyId key) const;

  /// The states of the part that the transaction may leave if it writes the part. Each is given as
  /// all that is known of the row then.
  [[nodiscard]] std::vector<KnownRow> may_leave(TxnId txn, KeyId key, std::uint32_t part) const;

  /// The row after an operation, if the operation may write it and its recorded values are known.
  /// Columns that it does not change are empty.
  [[nodiscard]] std::optional<KnownRow> made_by(const rows::RowOp& op, KeyId key) const;

  /// Whether each operation of the transaction that may write the part `part` of the row also
  /// writes the part `also`.
  [[nodiscard]] bool writes_with(TxnId txn, KeyId key, std::uint32_t part,
                                 std::uint32_t also) const;

  /// The transactions that may write the row.
  [[nodiscard]] std::vector<TxnId> writers_of(KeyId row) const;

  /// Calls `visit(row)` for each row that the operation writes, as recorded.
  template <class Visit>
  void each_written(const rows::RowOp& op, Visit visit) const {
    if (op.is_read()) {
      return;
    }
    if (!op.has_predicate()) {
      visit(op.row);
      return;
    }
    for (const rows::ShownRow& shown : rows_.shown(op)) {
      visit(shown.row);
    }
  }

 private:
  [[nodiscard]] std::optional<std::string> note_writers();
  [[nodiscard]] PartBits all_parts() const;
  [[nodiscard]] PartBits parts_written(const rows::RowOp& op) const;
  /// Whether the operation writes the row, as recorded.
  [[nodiscard]] bool names(const rows::RowOp& op, KeyId key) const;
  /// Whether it writes the row as recorded, or may have without naming it.
  [[nodiscard]] bool may_write(const rows::RowOp& op, KeyId key) const;
  void change(const rows::RowOp& op, KnownRow& row) const;
  void blur(const rows::RowOp& op, KnownRow& row) const;
  [[nodiscard]] Certain writes_unnamed(const rows::RowOp& op, KeyId key,
                                       const CarriedOut& now) const;

  /// Whether a delete that missed its row differs from one that found it. In a serial order it does
  /// not.
  [[nodiscard]] bool deletes_may_miss() const { return has_two_events_ || is_repeatable(); }

  /// Whether the row does not exist after the operation, a delete that may have missed it.
  [[nodiscard]] bool leaves_none(const rows::RowOp& op, KeyId key, KnownRow row) const;

  /// Whether the operation shows that the row exists when it reads, or afterwards.
  [[nodiscard]] bool shows_existence(const rows::RowOp& op, KeyId key) const;

  const History& history_;
  const rows::Rows& rows_;
  bool has_two_events_;
  Model model_;
  KnownRow any_row_;
  std::map<KeyId, std::vector<TxnId>> writers_;  // writers of named rows
  std::vector<TxnId> unnamed_;                   // writers of rows that are not named
  std::optional<std::string> flaw_;
};

}  // namespace elapid::certify
