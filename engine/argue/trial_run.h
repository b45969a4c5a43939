// One order of transactions, carried out operation by operation.
//
// Its parts: the order and the rows (trial.cc), results that list rows (trial_listed.cc), results
// without keys (trial_counted.cc), operations that may concern old versions (trial_versions.cc),
// and those of a transaction that see one state (trial_one_state.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/argue/explanation.h"
#include "engine/argue/outcomes.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/argue/trial_state.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// Borrows all.
class Trial {
 public:
  Trial(const History& history, const RowWrites& writes, TrialOptions options)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        options_(options),
        has_old_versions_(options.old_versions != OldVersions::kOfNone),
        has_one_state_(options.old_versions == OldVersions::kOfOneState),
        state_(history, writes, options.beginning, has_old_versions_) {}

  TrialResult run(std::span<const OrderEvent> order);

 private:
  /// A row that the transaction wrote, with the written parts.
  struct Own {
    replay::RowState state;
    PartSet parts = 0;
  };

  [[nodiscard]] const replay::RowState& view(KeyId row) const;

  /// Carries out the transaction's operations one by one.
  void read(TxnId txn);

  void write(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  [[nodiscard]] bool is_sure(TxnId txn, std::uint32_t mop, KeyId row) const;

  void find_overlaps(TxnId txn);

  void commit(TxnId txn);

  // Failures.

  [[nodiscard]] Explanation explanation() {
    return {history_, writes_, state_, options_.most_causes, options_.most_looked};
  }

  void tell(Failure failure, Explanation& why);

  void fail(TxnId txn, std::uint32_t mop, KeyId row, const Parts& parts,
            std::uint32_t as = kAsRecorded);

  /// The row differs from the result that the operation showed, or from its absence there.
  void fail_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                  const Parts& parts);

  void explain_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                     const Parts& parts, Explanation& why);

  [[nodiscard]] ValueId shown_value(const rows::ShownRow& shown, std::uint32_t part) const;

  void check_row(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Whether deletes by key may concern old versions: at read committed.
  [[nodiscard]] bool deletes_may_be_old() const {
    return options_.old_versions == OldVersions::kOfReads;
  }

  /// Whether a delete by key missed its row in an earlier version: by choice, where that may be.
  [[nodiscard]] bool misses_by_choice(TxnId txn, std::uint32_t mop, KeyId row) const;

  /// A delete. If predicates may concern old versions, whether it ends a row is a choice. At read
  /// committed it may have missed a row that exists by now.
  void check_delete(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  static Outcome recorded(const rows::ShownRow* shown) {
    return {.as = kAsRecorded, .is_found = shown != nullptr, .shown = shown};
  }

  static constexpr Outcome kMissed = {.as = kAsMissed};
  static constexpr Outcome kFound = {.as = kAsFound, .is_found = true};

  /// The first part of the row that differs from the shown one; empty if none does.
  [[nodiscard]] Parts unlike(const rows::RowOp& op, const rows::ShownRow& shown,
                             const replay::RowState& state) const;

  [[nodiscard]] static ValueId held(const replay::RowState& state, rows::ColumnId column);

  /// Parts that show that an operation cannot have found the row so in this state; nothing if it
  /// can have.
  [[nodiscard]] std::optional<Parts> misfit(const rows::RowOp& op, KeyId row,
                                            const Outcome& outcome, const replay::RowState& state);

  /// Finds the rows that match the operation's predicate, ascending.
  void find(const rows::RowOp& op);

  [[nodiscard]] std::int64_t number(KeyId row) const;

  void check_listed(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// For a row that was found, or that may match but was not found.
  void check_match(TxnId txn, std::uint32_t mop, const rows::RowOp& op, KeyId row,
                   const Outcome& outcome);

  // Looks that see one state: what all transactions before left, but those not seen.

  /// A row that the transaction has not written, and how an operation found it.
  struct Look {
    std::uint32_t mop = 0;
    KeyId row;
    Outcome outcome;
  };

  /// An operation that found rows by a predicate. Rows that it was not looked at for did not match
  /// when the last transaction before it had committed. They count as found so.
  struct WideLook {
    std::uint32_t mop = 0;
    Outcome others;
    std::optional<std::int64_t> last_key = {};  ///< it speaks of no rows after this one
    std::set<KeyId> looked_at = {};
  };

  /// A result without keys, and the rows that the transaction had written.
  struct CountedLook {
    std::uint32_t mop = 0;
    std::map<KeyId, Own> own;
  };

  /// Notes that an operation looked at these rows, those that match, and those that its transaction
  /// had written.
  void look_wide(WideLook look);

  /// Looks at the rows that the writer left, which is not seen: they may have matched before.
  void look_behind(TxnId writer);

  /// Notes the look of an operation whose result has no keys, and what is chosen of its rows.
  void look_at_count(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Leaves out, of what the transaction sees, who left rows in other ways than it found them.
  void find_state(TxnId txn);

  /// The last transaction that wrote the row, of those seen; none(): the beginning.
  [[nodiscard]] TxnId last_seen(KeyId row);

  [[nodiscard]] replay::RowState left_by(TxnId writer, KeyId row) const;

  [[nodiscard]] replay::RowState state_seen(KeyId row) { return left_by(last_seen(row), row); }

  /// Whether the writer's version is the one at the beginning, or before all but that.
  [[nodiscard]] bool is_beginning(TxnId writer) const {
    return writer.is_none() || writer == certain_initial(history_);
  }

  void fail_state(TxnId txn, std::size_t look);

  /// The looks for which it matters what was left out for the first one.
  [[nodiscard]] std::vector<std::size_t> involved(std::size_t look) const;

  /// The writers that left the row as the look found it, in order.
  [[nodiscard]] std::vector<TxnId> fitting(TxnId txn, const Look& look);

  void explain_look(TxnId txn, const Look& look, Failure& into);

  void add_fractures(const std::vector<std::size_t>& looks, Failure& into);

  [[nodiscard]] bool fits(TxnId txn, const Look& look, TxnId writer);

  void check_count_seen(TxnId txn, CountedLook& look);

  /// Checks whether the operation can have concerned some earlier version of the row.
  void check_past(TxnId txn, std::uint32_t mop, const rows::RowOp& op, KeyId row,
                  const Outcome& outcome);

  /// Whether operations may have concerned the initial version of the row.
  [[nodiscard]] bool has_first_version(KeyId row) const;

  // Results without keys, if predicates may concern old versions.

  /// The ways in which the operation may have found the row, by kind, in this order.
  [[nodiscard]] Chances chances(const rows::RowOp& op, KeyId row, std::span<const FoundKind> kinds);

  /// Whether the row may match at any time, by its writers.
  [[nodiscard]] bool may_ever_be(KeyId row) const;

  void check_chances(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Chooses the rows of a write with unrecorded rows: the rows that match, unless choices differ
  /// or the count does not fit.
  void choose_rows(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Fails by the count, with the reasons why other rows do not count.
  void fail_count(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                  std::span<const FoundKind> kinds, Miscount count);

  // Results without keys.

  /// The found rows that are within the operation's limit.
  [[nodiscard]] std::vector<KeyId> first_found(const rows::RowOp& op) const;

  /// Whether the result fits the current rows.
  [[nodiscard]] bool fits_now(const rows::RowOp& op) const;

  void check_counted(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// A row of the bag that was found less often than it was shown.
  [[nodiscard]] const rows::ShownRow* missing_of_bag(const rows::RowOp& op,
                                                     const std::vector<KeyId>& found) const;

  /// Explains why no other rows match, or why none of these holds what `missing` shows.
  void explain_others(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                      const rows::ShownRow* missing, Explanation& why);

  /// Explains why these are the first rows that match, and their contents.
  void explain_first(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                     const std::vector<KeyId>& found, Explanation& why);

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialOptions options_;
  bool has_old_versions_;
  bool has_one_state_;
  TrialState state_;
  std::map<KeyId, Own> own_;
  std::map<TxnId, std::map<KeyId, Own>> pending_;  // of open transactions
  std::vector<KeyId> found_;
  std::vector<KeyId> expected_;
  // Of the transaction that reads one state:
  std::vector<Look> looks_;
  std::vector<WideLook> wide_;
  std::vector<CountedLook> counted_;
  std::ptrdiff_t failures_before_ = 0;    // of other transactions
  std::map<TxnId, std::size_t> unseen_;   // with a look that cannot have seen it
  std::map<KeyId, std::ptrdiff_t> seen_;  // the number of writers up to the last one seen
  TrialResult result_;
};

}  // namespace elapid::argue
