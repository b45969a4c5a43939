// The contents of rows in an order of transactions that is being tried, now and at each earlier
// point, with their writers.
#pragma once

#include <cstdint>
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
  /// A point of the order; transactions are numbered from 1 on as they commit.
  using Moment = std::uint32_t;
  static constexpr Moment kNever = 0;

  /// `beginning`: what each row held, by KeyId; empty: no row was there. `is_told`: what operations
  /// that may write rows, and are not sure to, wrote is told by note_taken(); else it is what their
  /// predicates match where they read.
  TrialState(const History& history, const RowWrites& writes,
             std::span<const replay::RowState> beginning, bool is_told = false);

  /// The operation, which was not sure to, wrote the row.
  void note_taken(TxnId txn, std::uint32_t mop, KeyId row) { taken_.insert({txn, mop, row}); }

  [[nodiscard]] const std::set<TakenRow>& taken() const { return taken_; }

  /// Whether that is told at all, and whether it was of this one.
  [[nodiscard]] bool is_told() const { return is_told_; }

  [[nodiscard]] bool is_taken(TxnId txn, std::uint32_t mop, KeyId row) const {
    return taken_.contains({txn, mop, row});
  }

  [[nodiscard]] const replay::TableState& table() const { return table_; }

  [[nodiscard]] Moment now() const { return now_; }

  /// Where the transaction read, or will from now on.
  void begin(TxnId txn) { read_[txn.index()] = now_; }

  [[nodiscard]] Moment read_at(TxnId txn) const { return read_[txn.index()]; }

  /// kNever before it did.
  [[nodiscard]] Moment committed_at(TxnId txn) const { return committed_[txn.index()]; }

  void commit(TxnId txn) { committed_[txn.index()] = ++now_; }

  /// The transaction that commits now leaves these parts of the row like this.
  void set(TxnId txn, KeyId row, PartSet parts, const replay::RowState& state);

  /// The last writer of the part up to the end of the moment; none() if there is none.
  [[nodiscard]] TxnId last_writer(KeyId row, std::uint32_t part, Moment at) const;

  [[nodiscard]] replay::RowState state(KeyId row, Moment at) const;

  /// What the row held at the beginning.
  [[nodiscard]] replay::RowState at_first(KeyId row) const;

  /// From now on, but for table(), the row counts as having held this in the column at the
  /// beginning.
  void pretend(KeyId row, rows::ColumnId column, ValueId value) {
    pretended_.push_back({row, column, value});
  }

  void pretend_nothing() { pretended_ = {}; }

  /// Who wrote the row, in order.
  [[nodiscard]] std::vector<TxnId> writers_so_far(KeyId row) const;

  /// The row as the transaction sees it before its operation number `mop`.
  [[nodiscard]] replay::RowState view(TxnId txn, std::uint32_t mop, KeyId row) const;

  /// Whether an operation that is not sure to write the row does so in this state.
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
  std::vector<std::vector<Entry>> log_;  // by row and part
  std::vector<Moment> read_;             // by transaction
  std::vector<Moment> committed_;        // by transaction
  Moment now_ = 0;
};

}  // namespace elapid::argue
