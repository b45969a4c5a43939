// The axioms of rows (kernel/proof_loop.h): they justify the reason of a step.
//
//   kFound    T2 would have found row 7, had T1 been the last to write it; so T2 came before T1, or
//             T3, which writes row 7, came in between
//   kCycle    T1 before T2, T2 before T3 and T3 before T1 are not all so
//   kAtLeast  operation 2 of T4 found three rows; beside 1 and 4 only row 6 may have been found
//
// Its parts: the form of steps (rows_proof_form.cc), orders and findings (rows_proof.cc), old
// versions (rows_proof_versions.cc), numbers of rows (rows_proof_counts.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/clauses.h"
#include "engine/certify/rows/rows_beginning.h"
#include "engine/certify/rows/rows_causes.h"
#include "engine/certify/rows/rows_choices.h"
#include "engine/certify/rows/rows_effects.h"
#include "engine/certify/rows/rows_findings.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Borrows history and evidence.
class RowsProofCheck {
 public:
  RowsProofCheck(const History& history, OrderLevel level, const RowsProofEvidence& evidence)
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        has_two_events_(has_two_events(level.visibility)),
        evidence_(evidence),
        beginning_(history),
        effects_(history, has_two_events_, evidence.model, beginning_.any_row()),
        findings_(history),
        causes_(history, level, effects_, beginning_) {}

  std::optional<std::string> check(const std::function<bool()>& keep_going);

  // The axioms (proof_loop.h).

  void begin() {}  // one proof is checked

  [[nodiscard]] RowsChoices& choices() { return choices_; }

  [[nodiscard]] Flaw open(const RowsProofStep& step) const;

  [[nodiscard]] Flaw check(const RowsProofStep& step) const;

  void prove(const RowsProofStep& step, std::span<const Literal> clause);

  // Single steps, without a check of all steps before.

  /// Whether the step follows from its operation and from the orders that are known.
  [[nodiscard]] bool holds_now(const RowsProofStep& step) const {
    return rows_.names_all_rows() && !effects_.flaw() && !open(step) && !check(step);
  }

  /// Takes it as known that `a` comes before `b`.
  void assume(OrderEvent a, OrderEvent b) { causes_.add_proved({before(a, b)}); }

 private:
  [[nodiscard]] bool is_event(OrderEvent event) const;

  [[nodiscard]] bool is_txn(TxnId txn) const { return is_event({txn, true}); }

  [[nodiscard]] bool is_row(KeyId row) const { return rows_.is_row(row); }

  [[nodiscard]] bool is_part(std::uint32_t part) const {
    return part < kFirstColumn + rows_.column_count();
  }

  /// Whether a version belongs to this: a transaction, or in an open universe the beginning.
  [[nodiscard]] bool is_txn_or_first(TxnId txn) const;

  [[nodiscard]] const rows::RowOp* operation(TxnId txn, std::size_t mop) const;

  /// Whether the operation may find, or miss, rows in the way of the choice.
  [[nodiscard]] bool is_way(const RowsChoice& choice) const;

  static bool counts_rows(const RowsProofStep& step) {
    return step.reason == RowsProofStep::Reason::kAtLeast ||
           step.reason == RowsProofStep::Reason::kAtMost;
  }

  [[nodiscard]] bool is_understood(const RowsProofStep& step) const;

  [[nodiscard]] const char* flaw_of(const RowsProofStep& step) const;

  const char* flaw_of_overlap(const RowsProofStep& step) const;

  const char* flaw_of_cycle(const RowsProofStep& step) const;

  const char* flaw_of_meaning(const RowsProofStep& step) const;

  /// Whether the transaction may have written the row, if no choice of the clause holds.
  [[nodiscard]] bool wrote(const RowsProofStep& step, TxnId txn, KeyId row) const;

  /// Checks that the operation is impossible with all causes, and that the clause names all ways in
  /// which a cause can be false.
  const char* flaw_of_found(const RowsProofStep& step) const;

  /// The row before the step's operation, as its transaction sees it.
  [[nodiscard]] CarriedOut carried_out(const RowsProofStep& step, KeyId key, KnownRow before) const;

  /// Whether the operation cannot have its finding if the row was in this state. At repeatable read
  /// it may have concerned an older version, unless its transaction has written the row; but a row
  /// that it writes must exist.
  [[nodiscard]] bool is_impossible(const RowsProofStep& step, const rows::RowOp& op, KeyId key,
                                   const CarriedOut& now) const;

  /// The way in which the step's operation found the row, if no choice of the clause holds.
  [[nodiscard]] static std::uint32_t assumed_way(const RowsProofStep& step, const rows::RowOp& op,
                                                 KeyId row);

  // Repeatable read: versions that a predicate may have concerned.

  /// Whether the operation may concern any version that a row had.
  [[nodiscard]] bool concerns_any(const RowsProofStep& step) const;

  [[nodiscard]] static RowsChoice concerned(const RowsProofStep& step, TxnId writer, bool holds,
                                            std::uint32_t as) {
    return {.kind = RowsChoice::Kind::kConcerned,
            .holds = holds,
            .first = {step.txn, true},
            .middle = writer,
            .row = step.row,
            .mop = step.mop,
            .as = as};
  }

  [[nodiscard]] static RowsChoice found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as,
                                        bool holds = true) {
    return {.kind = RowsChoice::Kind::kFound,
            .holds = holds,
            .first = {txn, true},
            .row = row,
            .mop = mop,
            .as = as};
  }

  [[nodiscard]] bool is_initial(TxnId txn) const {
    return txn == history_.info().initial_txn && history_.committed(txn);
  }

  /// Whether the operation may have concerned the state before all transactions or, in a closed
  /// universe, the one that the initial transaction left.
  [[nodiscard]] bool may_be_first(const rows::RowOp& op, TxnId txn, KeyId row,
                                  std::uint32_t as) const;

  /// Whether the operation may have concerned the version that the transaction left.
  [[nodiscard]] bool may_be_left_by(TxnId writer, const rows::RowOp& op, TxnId txn, KeyId row,
                                    std::uint32_t as) const;

  /// The same for the transaction's own write of the row: if it did not write the row, another
  /// transaction left it so.
  [[nodiscard]] bool may_have_made(TxnId writer, const rows::RowOp& op, KeyId row,
                                   std::uint32_t as) const;

  /// Checks that the clause names all transactions that may have left the row as it was found.
  const char* flaw_of_versions(const RowsProofStep& step) const;

  /// Checks that with all causes the operation cannot have concerned the version of `other`, and
  /// that the clause names all ways in which a cause can be false.
  const char* flaw_of_version(const RowsProofStep& step) const;

  /// Checks that the clause names every transaction that may have written, before the operation,
  /// the contents that its result shows of the row.
  const char* flaw_of_written(const RowsProofStep& step) const;

  /// Checks that the clause doubts that the transaction concerned a version of `other` and an older
  /// version of the step's row, unless that came after `other`, who wrote the row.
  const char* flaw_of_fractured(const RowsProofStep& step) const;

  /// Whether the clause names each operation that may have given the part of the row this value.
  [[nodiscard]] bool names_writers(const RowsProofStep& step, std::uint32_t part,
                                   ValueId value) const;

  /// Whether `value` is none of these possible values of a column. No values: any is possible.
  static bool is_other(const std::vector<ValueId>& held, ValueId value);

  // Repeatable read: numbers of rows.

  /// Whether the step's operation never found the row in this way, as the row's writers show.
  [[nodiscard]] bool is_never(const RowsProofStep& step, const rows::RowOp& op, KeyId row,
                              std::uint32_t as) const;

  /// The distinct contents of a bag, each as its first row; one for other results.
  [[nodiscard]] std::vector<std::uint32_t> contents(const rows::RowOp& op) const;

  [[nodiscard]] std::uint32_t first_alike(const rows::RowOp& op, std::uint32_t item) const;

  /// The number of rows like the items that the operation found; nothing if its result does not
  /// tell, or if the items are not in it.
  [[nodiscard]] std::optional<std::size_t> number_found(const rows::RowOp& op,
                                                        std::span<const std::uint32_t> items) const;

  const char* flaw_of_count(const RowsProofStep& step) const;

  /// The number of rows that may be found in one of the ways, if no choice of the clause holds.
  [[nodiscard]] std::size_t may_be_found(const RowsProofStep& step, const rows::RowOp& op,
                                         std::span<const std::uint32_t> ways) const;

  /// The number of rows that must be found in one of the ways, if no choice of the clause holds.
  [[nodiscard]] std::size_t must_be_found(const RowsProofStep& step, const rows::RowOp& op,
                                          std::span<const std::uint32_t> ways) const;

  void each_own_row(const RowsProofStep& step, std::set<KeyId>& keys) const;

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  bool has_two_events_;
  const RowsProofEvidence& evidence_;
  RowsBeginning beginning_;
  RowsEffects effects_;
  RowsFindings findings_;
  RowsCauses causes_;
  RowsChoices choices_;
};

}  // namespace elapid::certify
