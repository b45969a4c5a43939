// Finds an order of transactions for read committed and repeatable read, one commit after the
// other. At these levels a predicate may see any earlier version of each row, row by row.
//
// Example. Rows 1 and 2 exist. T1 and T2 each delete the rows with 1 <= a <= 9, and each deletes
// one row:
//
//   T1: [:dp [:in :a 1 9] 1]    T2: [:dp [:in :a 1 9] 1]
//
// One transaction deletes row 1, the other one row 2. Later operations decide the choice: a row
// that a later operation changes must be alive until then, and a row that is inserted again must be
// absent.
//
// The transactions commit in the order of their completions. The writers of what a transaction read
// commit before it. A transaction that does not fit waits. The search takes no commit back, so it
// may miss an order. Near linear.
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

  /// Whether it finds order(). Its work is the operations that it tries, and the rows and versions
  /// that it looks at.
  [[nodiscard]] bool run(ReplayBudget& budget);

  /// The commits.
  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// The rows written by operations whose results do not list them.
  [[nodiscard]] std::vector<TakenRow> taken() const;

 private:
  /// What is allowed when no transaction fits otherwise. Each includes the ones before it.
  enum class Mercy : std::uint8_t {
    kNone,
    kExchanges,  ///< earlier deletes may take other rows than chosen at first
    kEnds,       ///< a version may end that others still need
  };

  enum class Standing : std::uint8_t { kWaiting, kOnPath, kDone };

  /// A row that an operation may have written.
  struct Candidate {
    KeyId row;
    bool is_certain = false;     ///< the operation wrote it in every order
    bool is_used = false;        ///< another transaction still needs it alive
    bool is_read = false;        ///< a transaction that was invoked later reads this version
    bool is_old = false;         ///< its current version does not match
    bool may_be_missed = false;  ///< an earlier version does not match
    EventId next_insert = EventId::none();
    std::optional<EventId> last_read = {};
  };

  /// A row that a delete took. The delete is the last operation of its transaction, and its result
  /// does not list the row.
  struct Kill {
    const rows::RowOp* op;
    std::size_t taken = 0;  ///< in taken_
    KeyId row;
    RowState before;          ///< the row's state before the delete
    std::uint64_t alive = 0;  ///< the row's stamp before the delete
    std::uint64_t dead = 0;   ///< the row's stamp after it
    std::uint64_t when = 0;   ///< stamps from before the delete are less
    std::size_t tried = 0;    ///< the last attempt of revive() that considered it
  };

  /// The versions of a row by a value that they hold in a column. The column none() stands for the
  /// version itself.
  struct Holders {
    std::size_t count = 0;  ///< of versions entered so far
    /// Ascending.
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

  /// Whether a past or current version of the row satisfies `holds`. The transaction has not
  /// written the row.
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
  void note_ended_by_key(TxnId txn);
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
  std::vector<TxnId> by_completion_;             // committed transactions
  std::size_t first_waiting_ = 0;                // in by_completion_
  std::vector<std::vector<RowState>> versions_;  // by KeyId, the beginning first
  std::vector<bool> has_no_beginning_;           // by KeyId: the initial transaction wrote it
  mutable std::map<KeyId, Holders> holders_;     // of rows with many versions
  std::vector<OrderEvent> order_;
  std::vector<TakenRow> taken_;
  std::vector<TakenRow> ended_by_key_;
  std::vector<Kill> kills_;
  std::size_t attempts_ = 0;
  std::vector<const rows::RowOp*> hopeless_;  // revive() failed, and nothing has changed since
  bool can_exchange_ = false;
  Mercy mercy_ = Mercy::kNone;
  // The current transaction.
  Effects own_;
  std::vector<TakenRow> taken_now_;
  TxnId blocker_ = TxnId::none();  // must commit first
  // The budget.
  std::uint64_t tried_ = 0;           // operations
  mutable std::uint64_t looked_ = 0;  // at rows and versions
  std::uint64_t next_question_ = 0;   // the work at which keep_going is asked next
  bool is_spent_ = false;
  ReplayBudget* budget_ = nullptr;
};

}  // namespace elapid::replay
