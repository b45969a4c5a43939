// The search for an order of events in which every operation on rows is possible and has its
// recorded result. It goes depth first from state to state, and tries the most promising
// transaction first.
//
// A state is the set of transactions that had their turn, the contents of the rows, and the planned
// writes of transactions in flight. A move carries out a transaction that may come next and fits.
// At snapshot levels a transaction has two events, a start and a commit, and a move may be either.
// No state is visited twice. These rules find an existing order quickly:
//
// - A transaction that writes nothing and fits is carried out at once: nothing is lost by it.
// - Where transactions have two events, one that fits starts at once, and starts again after
// another
//   has committed that wrote a row which it writes. What it would write it writes as well if it
//   starts later, so only the order of the commits is searched, as they completed first.
// - One that names all its rows starts late: just before it commits, or before another overwrites a
//   row that it reads and does not write. Until then it finds what it would have found at once. So
//   many of them may write one row.
// - Nothing ends that another transaction still needs (needs.h). In real time nothing begins that
//   one which still has to read did not find, if one that is invoked after it finds that.
// - A transaction that did not fit because of one row is not tried again while the row is what it
//   was.
//
// If no order exists, the search fails after it has visited all states. Their number may be
// exponential. The time is O(states x transactions x their operations).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/replay/carry_out.h"
#include "engine/replay/needs.h"
#include "engine/replay/table_state.h"
#include "engine/replay/turn_taking.h"
#include "engine/search/state_memo.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

/// The work of a move and its undoing, in operations.
constexpr std::uint64_t kCostOfMove = 2;

/// The budget that is left.
struct ReplayBudget {
  std::uint64_t work = 0;    ///< operations to look at
  std::uint64_t states = 0;  ///< states to remember, 32 bytes each
  std::function<bool()> keep_going = {};
};

class OrderSearch {
 public:
  /// Refers to the history. Visibility kSerial or kSnapshot. `beginning`: rows of an open universe.
  OrderSearch(const History& history, OrderLevel level, const RowContents& beginning = {});

  /// kValid: order() is one. kInvalid: there is none. kUnknown: the budget was spent.
  [[nodiscard]] Validity run(ReplayBudget& budget);

  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  [[nodiscard]] std::uint64_t states() const { return memo_.size(); }

 private:
  /// Which transactions are tried in a state, in this order.
  enum class Pass : std::uint8_t { kReaders, kWriters, kCommits, kOptional, kOver };

  struct Undo {
    KeyId row;
    RowState state;
    std::uint64_t stamp = 0;
  };

  /// The key of a transaction in flight: by completion, with indeterminate transactions last.
  using Turn = std::pair<EventId, TxnId>;

  /// A transaction has started, or its start was withdrawn.
  struct Change {
    TxnId txn;
    bool has_started = false;
    bool is_dropped = false;  ///< another change cancels it
    Effects effects = {};     ///< of a withdrawn start
  };

  /// A state on the current path, and the moves tried in it.
  struct Frame {
    std::size_t order_size = 0;
    Pass pass = Pass::kReaders;
    TxnId next = TxnId::none();            ///< the next to try in this pass
    std::optional<Turn> last_commit = {};  ///< the last commit tried
    // The current move.
    TxnId committed = TxnId::none();
    std::vector<Undo> undo = {};
    std::vector<Change> changes = {};
  };

  bool advance(Frame& frame);
  bool try_waiting(Frame& frame, Line line);
  bool try_commit(Frame& frame);
  [[nodiscard]] bool fits(TxnId txn);

  void spend(std::uint64_t work) { budget_->work -= std::min(budget_->work, work); }

  [[nodiscard]] Turn turn(TxnId txn) const;
  [[nodiscard]] bool may_write_more(TxnId txn) const;
  [[nodiscard]] bool names_all_rows(TxnId txn) const;
  [[nodiscard]] bool is_started_at_once(TxnId txn) const;
  [[nodiscard]] bool would_end(TxnId txn, const Effects& effects, std::span<const TxnId> others);
  [[nodiscard]] bool would_come_too_early(TxnId txn, const Effects& effects,
                                          std::span<const TxnId> others);
  [[nodiscard]] bool did_not_find(TxnId txn, KeyId row, const RowState& state);
  [[nodiscard]] std::vector<TxnId> writers(const Effects& effects, TxnId but) const;
  void start_all(std::vector<Change>& changes);
  void start_readers(TxnId of, const Effects& effects, std::vector<Change>& changes);
  [[nodiscard]] std::vector<KeyId> rows_only_read(TxnId txn) const;
  bool try_commit(TxnId txn, Frame& frame);
  void start(TxnId txn, Effects effects, std::vector<Change>& changes);
  void withdraw(TxnId txn, std::vector<Change>& changes);
  void drop_unchanged(std::vector<Change>& changes) const;
  void hold(TxnId txn, Effects effects);
  [[nodiscard]] Effects let_go(TxnId txn);
  void commit(TxnId txn, Effects effects, Frame& frame);
  void undo(Frame& frame);
  void undo(std::vector<Change>& changes);
  void begin_pass(Frame& frame, Pass pass) const;
  using Place = std::tuple<Line, EventId, TxnId>;
  [[nodiscard]] Place place(TxnId txn) const;
  [[nodiscard]] TxnId next_in(Line line, TxnId after) const;
  void note_idle(TxnId txn, bool is_idle);
  void keep_last_starts();

  const History& history_;
  bool has_two_events_;
  bool has_real_time_;
  TableState table_;
  CarryOut carry_out_;
  Needs needs_;
  TurnTaking turns_;
  std::vector<OrderEvent> order_;
  std::map<Turn, Effects> in_flight_;
  std::set<Place> idle_;              // where there are two events: may write, not in flight
  std::vector<bool> may_write_more_;  // by TxnId
  std::vector<bool> may_start_late_;  // by TxnId
  std::vector<std::vector<KeyId>> only_read_;  // by TxnId: rows, of those that may start late
  std::vector<bool> has_read_;                 // by TxnId: in flight, and has started
  std::vector<std::vector<TxnId>> writers_;    // by KeyId: those in flight that have read
  std::set<std::pair<KeyId, TxnId>> late_;  // in flight, and has yet to read the row, only read it
  // Why a transaction did not fit: a row, as it was when it had this stamp.
  std::vector<KeyId> obstacle_;
  std::vector<std::uint64_t> obstacle_stamp_;
  search::StateHash state_;
  search::StateMemo memo_;
  ReplayBudget* budget_ = nullptr;
};

}  // namespace elapid::replay
