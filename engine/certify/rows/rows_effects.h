// The effects of transactions on rows, by what is known of their results: certain writes, possible
// writes, and the states that they leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Parts of a row by number, a bit each.
using PartBits = std::uint64_t;

/// What operations make of what is known of a row, and what of it they surely write, or perhaps.
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
  /// At a model, or at serializability or snapshot isolation. `any_row`: what is certain of rows at
  /// the beginning.
  RowsEffects(const History& history, bool has_two_events, Model model, KnownRow any_row);

  /// What cannot be told of the operations, in one sentence; nothing: everything else here can be
  /// asked.
  [[nodiscard]] std::optional<std::string> flaw() const { return flaw_; }

  /// Whether predicates may have concerned versions that there were before.
  [[nodiscard]] bool is_repeatable() const {
    return model_ == Model::kPl299 || is_read_committed();
  }

  /// Whether reads of single rows may have, too.
  [[nodiscard]] bool is_read_committed() const { return model_ == Model::kPl2; }

  /// Whether the operation may concern former versions.
  [[nodiscard]] bool may_be_old(const rows::RowOp& op) const {
    return op.has_predicate() ? is_repeatable()
                              : is_read_committed() && op.kind == rows::RowOpKind::kRead;
  }

  /// What the transaction's first `count` operations make of a row of which `row` is known; and if
  /// no choice of the step's clause holds, where there is a step.
  [[nodiscard]] CarriedOut carried_out(TxnId txn, std::size_t count, KeyId key, KnownRow row,
                                       const RowsProofStep* step = nullptr) const;

  /// What a transaction leaves, whatever it found.
  [[nodiscard]] KnownRow left_by(TxnId txn, KeyId key) const;

  /// The row as it was when all had begun, as far as is certain: as the initial transaction made
  /// it, or as it was before.
  [[nodiscard]] KnownRow first_version(KeyId key) const;

  /// All that the transaction may leave of the part, if it writes it, each as all that is known of
  /// the row.
  [[nodiscard]] std::vector<KnownRow> may_leave(TxnId txn, KeyId key, std::uint32_t part) const;

  /// What an operation makes of the row, as far as it may write it and says what it writes; what it
  /// leaves as it was has columns that hold nothing.
  [[nodiscard]] std::optional<KnownRow> made_by(const rows::RowOp& op, KeyId key) const;

  /// Whether each operation of the transaction that may write a part of the row writes another part
  /// as well.
  [[nodiscard]] bool writes_with(TxnId txn, KeyId key, std::uint32_t part,
                                 std::uint32_t also) const;

  /// Who may write the row.
  [[nodiscard]] std::vector<TxnId> writers_of(KeyId row) const;

  /// Calls `visit(row)` for each row that the operation is recorded to write.
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
  void change(const rows::RowOp& op, KnownRow& row) const;
  void blur(const rows::RowOp& op, KnownRow& row) const;
  [[nodiscard]] Certain writes_unnamed(const rows::RowOp& op, KeyId key,
                                       const CarriedOut& now) const;

  /// Whether a delete that missed its row differs from one that found it; in a serial order it does
  /// not.
  [[nodiscard]] bool deletes_may_miss() const { return has_two_events_ || is_repeatable(); }

  /// Whether the row is not there after the operation, a delete that may have missed it.
  [[nodiscard]] bool leaves_none(const rows::RowOp& op, KeyId key, KnownRow row) const;

  /// Whether the operation tells that the row is there where it reads, or afterwards.
  [[nodiscard]] bool shows_existence(const rows::RowOp& op, KeyId key) const;

  const History& history_;
  const rows::Rows& rows_;
  bool has_two_events_;
  Model model_;
  KnownRow any_row_;
  std::map<KeyId, std::vector<TxnId>> writers_;           // of named rows
  std::vector<std::pair<TxnId, rows::TableId>> unnamed_;  // who writes rows that are not named
  std::optional<std::string> flaw_;
};

}  // namespace elapid::certify
