// Finds an order of transactions for read committed and repeatable read, where a predicate may
// concern, of each row by itself, any version that was there before: commit by commit.
//
// Example. T1 counted one row when it deleted, though T2 has just deleted another:
//
//   T1: [:dp [:in :a 1 9] 1]    T2: [:dp [:in :a 1 9] 1]    rows 1 and 2 are there
//
// One takes row 1 and the other row 2. Which, is chosen by what comes after: a row that a later
// operation changes must be alive until then, and one that is inserted again must be dead.
//
// The transactions commit as they completed. What a transaction was shown must have been written
// before, so its writers are brought before it. A transaction that does not fit waits. Nothing is
// taken back, so it finds orders only: where it finds none, there may be one. Near linear.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/carry_out.h"
#include "engine/replay/needs.h"
#include "engine/replay/order_search.h"
#include "engine/replay/row_touches.h"
#include "engine/replay/statement_search.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

class CommitSearch {
 public:
  /// Refers to the history. `beginning`: rows of an open universe.
  CommitSearch(const History& history, Stale stale, const RowContents& beginning = {});

  /// Whether it found order(). Takes from the budget's work the operations that it tries, and the
  /// rows and versions that it looks at.
  [[nodiscard]] bool run(ReplayBudget& budget);

  /// The commits.
  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// What operations wrote that do not tell which rows they wrote.
  [[nodiscard]] std::vector<TakenRow> taken() const;

 private:
  /// What is done only where nothing else fits.
  enum class Mercy : std::uint8_t {
    kNone,
    kExchanges,  ///< former deletes took other rows
    kEnds,       ///< what others need ends
  };

  enum class Standing : std::uint8_t { kWaiting, kOnPath, kDone };

  /// A row that an operation may have written, and what speaks for it.
  struct Candidate {
    KeyId row;
    bool is_certain = false;
    bool is_used = false;  ///< another transaction is to find it alive
    bool is_read = false;  ///< one that was invoked later finds it as it is
    bool is_old = false;   ///< it does not match as it is
    bool may_be_missed = false;
    EventId next_insert = EventId::none();
    std::optional<EventId> last_read = {};
  };

  /// A row that an operation deleted which does not tell its rows, as the last of its transaction.
  struct Kill {
    const rows::RowOp* op;
    std::size_t taken = 0;  ///< in taken_
    KeyId row;
    RowState before;          ///< the row
    std::uint64_t alive = 0;  ///< its stamp while it was alive
    std::uint64_t dead = 0;   ///< and since
    std::uint64_t when = 0;   ///< stamps before that of the deletion are less
    std::size_t tried = 0;    ///< in which attempt of revive()
  };

  /// Which versions of a row hold what, in ascending order: of a column, or with none() the version
  /// itself.
  struct Holders {
    std::size_t count = 0;  ///< of the versions that were looked at
    std::map<std::pair<rows::ColumnId, ValueId>, std::vector<std::size_t>> by_value = {};
  };

  [[nodiscard]] std::uint64_t work() const;
  [[nodiscard]] bool goes_on();
  [[nodiscard]] bool is_of_any_version(const rows::RowOp& op) const;
  void settle(TxnId txn);
  void unsettle(TxnId txn);
  bool bring_next();
  bool bring(TxnId txn, std::size_t depth);
  [[nodiscard]] bool fits(TxnId txn);
  [[nodiscard]] bool fits_one(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] bool fits_row(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] bool fits_count(const rows::RowOp& op);
  [[nodiscard]] bool fits_listed(const rows::RowOp& op);
  [[nodiscard]] bool choose_rows(TxnId txn, const rows::RowOp& op, std::size_t place);
  [[nodiscard]] Candidate candidate(TxnId txn, const rows::RowOp& op, KeyId row,
                                    std::span<const KeyId> certain) const;
  void add_former_matches(TxnId txn, const rows::RowOp& op, std::span<const KeyId> certain,
                          std::vector<Candidate>& candidates) const;
  [[nodiscard]] const RowState* own(KeyId row) const;
  [[nodiscard]] bool is_match(const rows::RowOp& op, KeyId row, const RowState& state) const;

  /// Whether it holds of a version that the row had, or has; its transaction has not written it.
  template <class Holds>
  [[nodiscard]] bool was_ever(KeyId row, Holds holds) const {
    const std::vector<RowState>& versions = versions_[row.index()];
    const std::ptrdiff_t first = has_no_beginning_[row.index()] ? 1 : 0;
    const auto is_one = [&](const RowState& state) {
      ++looked_;
      return holds(state);
    };
    return is_one(versions[static_cast<std::size_t>(first)]) ||
           std::any_of(versions.rbegin(), versions.rend() - first, is_one);
  }

  [[nodiscard]] bool was_ever(const rows::RowOp& op, KeyId row) const;
  [[nodiscard]] const std::vector<std::size_t>* holders(const rows::RowOp& op,
                                                        const rows::ShownRow& shown) const;
  void commit(TxnId txn);
  void note_kills(TxnId txn);
  [[nodiscard]] bool can_exchange() const;
  [[nodiscard]] bool has_been_dead(KeyId row) const;
  [[nodiscard]] bool could_kill(const Kill& kill, KeyId row) const;
  void exchange(Kill& kill, KeyId row);
  [[nodiscard]] bool replace(Kill& kill, std::span<const Candidate> candidates, std::size_t depth);
  [[nodiscard]] std::optional<KeyId> revive(const rows::RowOp& op,
                                            std::span<const Candidate> candidates);
  [[nodiscard]] bool kill(KeyId row);

  [[nodiscard]] const RowTouches::Touch* next_touch(KeyId row, TxnId than) const {
    return touches_.next(row, than,
                         [&](TxnId txn) { return standing_[txn.index()] == Standing::kDone; });
  }

  const History& history_;
  const rows::Rows& rows_;
  Stale stale_;
  TableState table_;
  CarryOut carry_out_;
  Needs needs_;
  RowTouches touches_;
  std::vector<Standing> standing_;               // by TxnId
  std::vector<TxnId> by_completion_;             // those that committed
  std::size_t first_waiting_ = 0;                // in by_completion_
  std::vector<std::vector<RowState>> versions_;  // by KeyId, the beginning first
  std::vector<bool> has_no_beginning_;           // by KeyId: the initial transaction wrote it
  mutable std::map<KeyId, Holders> holders_;     // of rows with many versions
  std::vector<OrderEvent> order_;
  std::vector<TakenRow> taken_;
  bool can_exchange_ = false;
  std::vector<Kill> kills_;
  std::size_t attempts_ = 0;
  std::vector<const rows::RowOp*> hopeless_;  // revive() failed, and nothing has changed since
  Mercy mercy_ = Mercy::kNone;
  // Of the transaction at hand.
  Effects own_;
  std::vector<TakenRow> taken_now_;
  TxnId blocker_ = TxnId::none();  // who must come first
  // What was done, and what may be.
  std::uint64_t tried_ = 0;           // operations
  mutable std::uint64_t looked_ = 0;  // at rows and versions
  std::uint64_t next_question_ = 0;   // whether to go on: once that much was done
  bool is_spent_ = false;
  ReplayBudget* budget_ = nullptr;
};

}  // namespace elapid::replay
