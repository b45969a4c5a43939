// One order of transactions, carried out operation by operation.
//
// Its parts: the order and the rows (trial.cc), results that list rows (trial_listed.cc), results
// that have no keys (trial_counted.cc), and operations that may concern old versions
// (trial_versions.cc).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
        state_(history, writes, options.beginning, has_old_versions_) {}

  TrialResult run(std::span<const OrderEvent> order);

 private:
  /// A row that the transaction has written, and which parts of it.
  struct Own {
    replay::RowState state;
    PartSet parts = 0;
  };

  [[nodiscard]] const replay::RowState& view(KeyId row) const;

  /// The operations one after the other, each with what came before it.
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

  /// The row was shown like this, or not shown, and is otherwise.
  void fail_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                  const Parts& parts);

  void explain_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                     const Parts& parts, Explanation& why);

  [[nodiscard]] ValueId shown_value(const rows::ShownRow& shown, std::uint32_t part) const;

  void check_row(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Whether it ends a row or misses it is a choice where predicates may concern old versions.
  void check_delete(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  static Outcome recorded(const rows::ShownRow* shown) {
    return {.as = kAsRecorded, .is_found = shown != nullptr, .shown = shown};
  }

  static constexpr Outcome kMissed = {.as = kAsMissed};
  static constexpr Outcome kFound = {.as = kAsFound, .is_found = true};

  /// The first part of the row that is not as it was shown; none if all are.
  [[nodiscard]] Parts unlike(const rows::RowOp& op, const rows::ShownRow& shown,
                             const replay::RowState& state) const;

  [[nodiscard]] static ValueId held(const replay::RowState& state, rows::ColumnId column);

  /// Parts that tell that an operation cannot have found the row so in this state; nothing if it
  /// can.
  [[nodiscard]] std::optional<Parts> misfit(const rows::RowOp& op, KeyId row,
                                            const Outcome& outcome, const replay::RowState& state);

  /// What the operation's predicate matches, ascending.
  void find(const rows::RowOp& op);

  [[nodiscard]] std::int64_t number(KeyId row) const;

  void check_listed(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// Of a row that was found, or may match and was not.
  void check_match(TxnId txn, std::uint32_t mop, const rows::RowOp& op, KeyId row,
                   const Outcome& outcome);

  /// Whether the operation can have concerned some version that the row had before.
  void check_past(TxnId txn, std::uint32_t mop, const rows::RowOp& op, KeyId row,
                  const Outcome& outcome);

  /// Whether what the row was at the beginning is a version that others may have concerned.
  [[nodiscard]] bool has_first_version(KeyId row) const;

  // Results without keys where predicates may concern old versions.

  /// What the row may have been to the operation; of kinds, in this order.
  [[nodiscard]] Chances chances(const rows::RowOp& op, KeyId row, std::span<const FoundKind> kinds);

  /// Whether the row may ever match, as far as its table and its writers tell.
  [[nodiscard]] bool may_ever_be(const rows::RowOp& op, KeyId row) const;

  void check_chances(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// The rows of a write whose rows were not recorded: those that match, unless the choices say
  /// otherwise or the count does not fit.
  void choose_rows(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// The count, and why rows that would make it right are not so.
  void fail_count(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                  std::span<const FoundKind> kinds, Miscount count);

  // Results without keys.

  /// Those of the rows found that the operation asked for.
  [[nodiscard]] std::vector<KeyId> first_found(const rows::RowOp& op) const;

  /// Whether the result is what rows are now.
  [[nodiscard]] bool fits_now(const rows::RowOp& op) const;

  void check_counted(TxnId txn, std::uint32_t mop, const rows::RowOp& op);

  /// A row of the bag that was found less often than it was shown.
  [[nodiscard]] const rows::ShownRow* missing_of_bag(const rows::RowOp& op,
                                                     const std::vector<KeyId>& found) const;

  /// Why no other rows match, or none of those that do holds what `missing` shows.
  void explain_others(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                      const rows::ShownRow* missing, Explanation& why);

  /// Why these are the first rows that match, and what they hold.
  void explain_first(TxnId txn, std::uint32_t mop, const rows::RowOp& op,
                     const std::vector<KeyId>& found, Explanation& why);

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialOptions options_;
  bool has_old_versions_;
  TrialState state_;
  std::map<KeyId, Own> own_;
  std::map<TxnId, std::map<KeyId, Own>> pending_;  // of transactions on their way
  std::vector<KeyId> found_;
  std::vector<KeyId> expected_;
  TrialResult result_;
};

}  // namespace elapid::argue
