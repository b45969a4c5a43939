// The contents of rows in the order of transactions that is being tried, with their writers, now
// and at each earlier point.
#pragma once

#include <cstdint>
#include <ranges>
#include <set>
#include <span>
#include <vector>

#include "engine/argue/row_parts.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::argue {

/// Borrows both.
class TrialState {
 public:
  /// A point of the order; committing transactions are numbered from 1.
  using Moment = std::uint32_t;
  static constexpr Moment kNever = 0;

  /// `beginning`: the initial contents of rows, by KeyId; empty: there were no rows. `is_told`: the
  /// rows that unsure operations wrote come from note_taken(); else they are the rows that match
  /// the operations' predicates at their reads.
  TrialState(const History& history, const RowWrites& writes,
             std::span<const replay::RowState> beginning, bool is_told = false);

  /// Notes that the operation, which may or may not write the row, wrote it.
  void note_taken(TxnId txn, std::uint32_t mop, KeyId row) { taken_.insert({txn, mop, row}); }

  [[nodiscard]] const std::set<TakenRow>& taken() const { return taken_; }

  /// Whether note_taken() is used at all, and whether it was called for these arguments.
  [[nodiscard]] bool is_told() const { return is_told_; }

  [[nodiscard]] bool is_taken(TxnId txn, std::uint32_t mop, KeyId row) const {
    return taken_.contains({txn, mop, row});
  }

  [[nodiscard]] const replay::TableState& table() const { return table_; }

  [[nodiscard]] Moment now() const { return now_; }

  /// The transaction reads at this point, or from now on.
  void begin(TxnId txn) { read_[txn.index()] = now_; }

  [[nodiscard]] Moment read_at(TxnId txn) const { return read_[txn.index()]; }

  /// kNever if it did not commit yet.
  [[nodiscard]] Moment committed_at(TxnId txn) const { return committed_[txn.index()]; }

  void commit(TxnId txn) { committed_[txn.index()] = ++now_; }

  /// The committing transaction leaves these values in these parts of the row.
  void set(TxnId txn, KeyId row, PartSet parts, const replay::RowState& state);

  /// The last writer of the part up to the end of the moment; none() if there is none.
  [[nodiscard]] TxnId last_writer(KeyId row, std::uint32_t part, Moment at) const;

  [[nodiscard]] replay::RowState state(KeyId row, Moment at) const;

  /// The initial contents of the row.
  [[nodiscard]] replay::RowState at_first(KeyId row) const;

  /// From now on the row's column counts as initially `value`, except in
  /// table().
  void pretend(KeyId row, rows::ColumnId column, ValueId value) {
    pretended_.push_back({row, column, value});
  }

  void pretend_nothing() { pretended_ = {}; }

  /// The writers of the row, in order. Valid until the next set().
  [[nodiscard]] auto writers_so_far(KeyId row) const {
    return log_[row.index() * writes_.part_count() + kRowVersion] |
           std::views::transform(&Entry::writer);
  }

  /// The rows that the transaction, which has committed, wrote.
  [[nodiscard]] std::span<const KeyId> rows_left_by(TxnId txn) const {
    return rows_left_[txn.index()];
  }

  /// The row as the transaction sees it before its operation `mop`.
  [[nodiscard]] replay::RowState view(TxnId txn, std::uint32_t mop, KeyId row) const;

  /// Whether an operation that may or may not write the row writes it in this state.
  [[nodiscard]] bool matches(const rows::RowOp& op, KeyId row, const replay::RowState& state) const;

  void apply(const rows::RowOp& op, replay::RowState& row) const;

 private:
  struct Entry {
    Moment at = 0;
    TxnId writer;
    ValueId value = ValueId::none();
  };

  [[nodiscard]] const Entry* last_entry(KeyId row, std::uint32_t part, Moment at) const;

  struct Pretended {
    KeyId row = KeyId::none();
    rows::ColumnId column;
    ValueId value;
  };

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  bool is_told_;
  std::set<TakenRow> taken_;
  std::vector<Pretended> pretended_;
  std::span<const replay::RowState> beginning_;
  replay::TableState table_;
  std::vector<std::vector<Entry>> log_;        // by row and part
  std::vector<Moment> read_;                   // by transaction
  std::vector<Moment> committed_;              // by transaction
  std::vector<std::vector<KeyId>> rows_left_;  // by transaction
  Moment now_ = 0;
};

}  // namespace elapid::argue
