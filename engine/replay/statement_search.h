// Finds an order of transactions for read committed and repeatable read, one operation after the
// other, as databases carry them out. At these levels each operation may read at its own moment.
//
// Example. T1 reads no row and later updates two rows, which T2 inserted meanwhile:
//
//   T1: [:rp :true {}] ... [:up :true {:a 1} 2]        T2: [:insert 1 {}] [:insert 2 {}]
//
// T1's first operation comes before T2, its second one after T2, and then T1 commits. The order of
// the commits is the answer. A transaction locks the rows that it writes until it commits, at
// repeatable read also the rows that it reads by key: long and short locks, as in Berenson et al.
// (A Critique of ANSI SQL Isolation Levels, SIGMOD 1995, table 2).
//
// The next operation is one that fits the current rows; among several, the one whose transaction
// completed first. If an operation does not list the rows that it wrote, it wrote no row whose old
// version a later-invoked transaction reads. If no operation fits, one may find each row in an
// earlier version. The search may miss an order. Depth first, near linear if the first moves are
// right.
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

/// The operations that may find each row in any earlier version.
enum class Stale : std::uint8_t {
  kPredicates,  ///< repeatable read: those with a predicate
  kAllReads,    ///< read committed: reads by key as well
};

/// Whether it writes rows that its result does not list.
[[nodiscard]] bool is_unnamed(const rows::RowOp& op);

/// Whether these searches can carry out the operation. They cannot if it writes rows by a predicate
/// with a limit or with contents alone as its result, or reads contents alone up to its limit.
[[nodiscard]] bool can_be_told(const rows::RowOp& op);

class StatementSearch {
 public:
  /// Refers to the history, whose operations should have real time. `beginning`: rows of an open
  /// universe.
  StatementSearch(const History& history, Stale stale, const RowContents& beginning = {});

  /// Whether it finds order(). Takes its work and its states from the budget.
  [[nodiscard]] bool run(ReplayBudget& budget);

  /// The commits.
  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// The rows written by operations whose results do not list them.
  [[nodiscard]] std::vector<TakenRow> taken() const;

 private:
  /// The progress of a transaction.
  struct Progress {
    std::uint32_t next = 0;  ///< operation
    Effects effects = {};
    std::vector<KeyId> written = {};  ///< locked rows: no other transaction may write or read them
    std::vector<KeyId> read = {};     ///< locked rows: no other transaction may write them
  };

  struct Undo {
    KeyId row;
    RowState state;
    std::uint64_t stamp = 0;
  };

  /// The kinds of moves in a state: first kFirst of each candidate, then kOld and kWriting of one
  /// candidate after the other.
  enum class Pass : std::uint8_t {
    kFirst,    ///< moves that fit and end no version that others still need
    kOld,      ///< operations that find earlier versions; commits that end a needed version
    kWriting,  ///< operations that fit and end a needed version
  };

  /// A state on the current path, and the move made in it.
  struct Frame {
    std::vector<TxnId> candidates = {};
    std::size_t next = 0;      ///< the number of the next move
    Pass pass = Pass::kFirst;  ///< of the current move
    TxnId moved = TxnId::none();
    bool has_started = false;
    bool has_committed = false;
    Progress before = {};          ///< of `moved`
    std::size_t in_flight_at = 0;  ///< the place of `moved` in in_flight_ before its commit
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
  std::vector<TxnId> holder_;                    // by KeyId: has the write lock
  std::vector<std::uint32_t> readers_;           // by KeyId: the number of read locks
  std::vector<std::vector<RowState>> versions_;  // by KeyId, the beginning first
  std::vector<bool> has_no_beginning_;           // by KeyId: the initial transaction wrote it
  std::vector<KeyId> written_;                   // by the current operation
  std::vector<std::vector<KeyId>> taken_;        // by place of the operation
  std::vector<KeyId> obstacle_;                  // as in OrderSearch
  std::vector<std::uint64_t> obstacle_stamp_;
  std::vector<OrderEvent> order_;
  search::StateHash state_;
  search::StateMemo memo_;
  ReplayBudget* budget_ = nullptr;
};

}  // namespace elapid::replay
