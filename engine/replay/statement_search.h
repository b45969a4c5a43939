// Finds an order of transactions for read committed and repeatable read, where each operation may
// read at a place of its own: operation by operation, as databases carry them out.
//
// Example. T1 reads no row and later counts two, which T2 inserted meanwhile:
//
//   T1: [:rp :true {}] ... [:up :true {:a 1} 2]        T2: [:insert 1 {}] [:insert 2 {}]
//
// T1's first operation comes before T2, its second one after T2, and then T1 commits. The order of
// the commits is the order that the level asks for. A transaction holds the rows that it writes
// until it commits, at repeatable read also those that it reads by key: long and short locks, as
// in Berenson et al. (A Critique of ANSI SQL Isolation Levels, SIGMOD 1995, table 2).
//
// The operations come next that fit the rows as they are, those first whose transactions completed
// first. Of rows that an operation may have written, and does not name, it wrote none that a
// transaction invoked later read as it was. Where no operation fits, one may find each row as it
// was earlier. It finds orders only: where it finds none, there may be one. Depth first, near
// linear as long as the first moves are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/carry_out.h"
#include "engine/replay/needs.h"
#include "engine/replay/order_search.h"
#include "engine/replay/table_state.h"
#include "engine/replay/turn_taking.h"
#include "engine/search/state_memo.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

/// Which operations may find each row as it was at any earlier point.
enum class Stale : std::uint8_t {
  kPredicates,  ///< repeatable read: those with a predicate
  kAllReads,    ///< read committed: reads by key as well
};

/// Whether it writes rows that its result does not name.
[[nodiscard]] bool is_unnamed(const rows::RowOp& op);

/// Whether an order tells what the operation did: not of contents without rows that were written,
/// or that are as many as were asked for.
[[nodiscard]] bool can_be_told(const rows::RowOp& op);

class StatementSearch {
 public:
  /// Refers to the history, whose operations should have real time. `beginning`: rows of an open
  /// universe.
  StatementSearch(const History& history, Stale stale, const RowContents& beginning = {});

  /// Whether it found order(). Takes what it does from the budget.
  [[nodiscard]] bool run(ReplayBudget& budget);

  /// The commits.
  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// What operations wrote that do not tell which rows they wrote.
  [[nodiscard]] std::vector<TakenRow> taken() const;

 private:
  /// A transaction, as far as it was carried out.
  struct Progress {
    std::uint32_t next = 0;  ///< operation
    Effects effects = {};
    std::vector<KeyId> written = {};  ///< rows that it holds: no other may write or read them
    std::vector<KeyId> read = {};     ///< likewise: no other may write them
  };

  struct Undo {
    KeyId row;
    RowState state;
    std::uint64_t stamp = 0;
  };

  /// Which moves of a state are made: the first ones of all candidates, then the others of one
  /// candidate after the other.
  enum class Pass : std::uint8_t {
    kFirst,    ///< those that fit, and write nothing that others still have to find as it is
    kOld,      ///< where rows may be what they were earlier; commits that end what others need
    kWriting,  ///< operations that fit, and write what others still have to find as it is
  };

  /// A state on the way, and the move that was made in it.
  struct Frame {
    std::vector<TxnId> candidates = {};
    std::size_t next = 0;      ///< move: of each candidate the first one, then its two others
    Pass pass = Pass::kFirst;  ///< of the move at hand
    TxnId moved = TxnId::none();
    bool has_started = false;
    bool has_committed = false;
    Progress before = {};          ///< of `moved`
    std::size_t in_flight_at = 0;  ///< where it was that committed
    std::vector<Undo> undo = {};
  };

  [[nodiscard]] std::vector<TxnId> candidates() const;
  bool advance(Frame& frame);
  bool make_free_move(Frame& frame);
  bool try_move(TxnId txn, Frame& frame);
  bool try_operation(TxnId txn, Frame& frame);
  [[nodiscard]] bool would_end(TxnId txn);
  [[nodiscard]] bool is_free(TxnId txn) const;
  [[nodiscard]] bool fits(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] bool may_fit(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] bool may_find(const rows::RowOp& op, const Effects& own);
  [[nodiscard]] bool choose_rows(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] bool is_left_alone(TxnId txn, const rows::RowOp& op, KeyId row) const;
  [[nodiscard]] bool has_certain_rows(TxnId txn, std::span<const KeyId> rows) const;
  [[nodiscard]] bool can_hold(TxnId txn, const rows::RowOp& op) const;
  [[nodiscard]] bool was_ever(const rows::RowOp& op, KeyId row) const;
  void carry_out(TxnId txn, const rows::RowOp& op, Frame& frame);
  void commit(TxnId txn, Frame& frame);
  void hold(const Progress& progress, TxnId by);
  void undo(Frame& frame);
  void mix(TxnId txn);

  [[nodiscard]] std::size_t place(TxnId txn) const {
    return history_.first_op(txn) + progress_[txn.index()].next;
  }

  [[nodiscard]] const rows::RowOp* next_op(TxnId txn) const;

  const History& history_;
  const rows::Rows& rows_;
  Stale stale_;
  TableState table_;
  CarryOut carry_out_;
  Needs needs_;
  TurnTaking turns_;
  std::vector<Progress> progress_;               // by TxnId
  std::vector<TxnId> in_flight_;                 // started, and not committed
  std::vector<TxnId> holder_;                    // by KeyId: who writes it
  std::vector<std::uint32_t> readers_;           // by KeyId: how many hold it for reading
  std::vector<std::vector<RowState>> versions_;  // by KeyId, the beginning first
  std::vector<bool> has_no_beginning_;           // by KeyId: the initial transaction wrote it
  std::vector<KeyId> written_;                   // by the operation at hand
  std::vector<std::vector<KeyId>> taken_;        // by place of the operation
  std::vector<KeyId> obstacle_;                  // as in OrderSearch
  std::vector<std::uint64_t> obstacle_stamp_;
  std::vector<OrderEvent> order_;
  search::StateHash state_;
  search::StateMemo memo_;
  ReplayBudget* budget_ = nullptr;
};

}  // namespace elapid::replay
