// Re-checks one step of a proof about rows: what its causes say of the rows, and whether its clause
// names every way in which a cause can be false.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/rows/rows_beginning.h"
#include "engine/certify/rows/rows_effects.h"
#include "engine/certify/rows/rows_findings.h"
#include "engine/certify/rows/rows_known.h"
#include "engine/certify/rows/rows_order.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

// Choices of a clause.

[[nodiscard]] bool has(const RowsProofStep& step, const RowsChoice& choice);

[[nodiscard]] inline RowsChoice before(OrderEvent a, OrderEvent b) {
  return {.kind = RowsChoice::Kind::kBefore, .first = a, .second = b};
}

[[nodiscard]] inline RowsChoice took_effect(TxnId txn, bool holds) {
  return {.kind = RowsChoice::Kind::kTookEffect, .holds = holds, .first = {txn, true}};
}

/// Borrows all. Steps are told apart by their addresses.
class RowsCauses {
 public:
  /// Whether of another transaction it would make no difference, were it the last writer.
  using NoBetter = std::function<bool(TxnId)>;

  RowsCauses(const History& history, OrderLevel level, const RowsEffects& effects,
             const RowsBeginning& beginning)
      : history_(history),
        level_(level),
        effects_(effects),
        beginning_(beginning),
        findings_(history),
        known_(history, level) {}

  /// The clause was proved: where it is one choice about the order, the order is known from now on.
  void add_proved(const std::vector<RowsChoice>& clause);

  /// Whether `a` is known to commit before `b` starts.
  [[nodiscard]] bool precedes(TxnId a, TxnId b) const {
    return known_.precedes({a, true}, start(b));
  }

  /// Where a transaction reads.
  [[nodiscard]] OrderEvent start(TxnId txn) const {
    return {txn, !has_two_events(level_.visibility)};
  }

  /// Whether the clause holds where the transaction does not take effect.
  [[nodiscard]] bool leaves_out(const RowsProofStep& step, TxnId txn) const;

  /// The row where the transaction reads, as the causes tell. A chain of causes that comes back to
  /// where it began tells nothing.
  [[nodiscard]] KnownRow before_txn(const RowsProofStep& step, TxnId reader, KeyId key) const;

  /// The row when the transaction has committed, as the causes tell.
  [[nodiscard]] CarriedOut after(const RowsProofStep& step, TxnId txn, KeyId key) const;

  /// Whether the clause leaves out a way in which the cause was not the last before its reader;
  /// `is_no_better` tells of whom it would make no difference. Nothing: it does not.
  [[nodiscard]] const char* flaw_of_cause(const RowsProofStep& step, const LastWriter& cause,
                                          const NoBetter& is_no_better) const;

 private:
  /// Causes of causes beyond this tell nothing.
  static constexpr std::size_t kMostDepth = 2000;

  /// Whether the clause holds where the reader comes before the writer of the cause.
  [[nodiscard]] bool has_reader_first(const RowsProofStep& step, const LastWriter& cause) const;

  /// A finding and a part of its row. Had a transaction written that part between the cause's
  /// writer and its reader, and none that the clause has come between, the finding would differ.
  struct Undisturbed {
    LaterFinding found;
    std::uint32_t part = 0;
    /// It is a successor's, who need not read later than the reader: who writes the part after the
    /// cause's writer does so after the successor.
    bool by_successor = false;
  };

  [[nodiscard]] std::vector<Undisturbed> undisturbed(const RowsProofStep& step,
                                                     const LastWriter& cause) const;

  /// Whether the transaction is certain to come after the cause's writer; and does not commit
  /// before the reader reads, or else the clause holds.
  [[nodiscard]] bool is_successor(const RowsProofStep& step, const LastWriter& cause,
                                  TxnId txn) const;

  /// Whether they cannot overlap, as both are certain to write the row.
  [[nodiscard]] bool exclude_one_another(TxnId a, TxnId b, KeyId row) const;

  /// Whether `other` cannot have come between, since it would have been found.
  [[nodiscard]] bool would_be_found(const LastWriter& cause, TxnId other,
                                    std::span<const Undisturbed> undisturbed) const;

  /// Whether the operation may have found what it did of the row, had the transaction written this
  /// part of it last.
  [[nodiscard]] bool may_have_left(TxnId txn, KeyId row, std::uint32_t part,
                                   const LaterFinding& found) const;

  /// Whether the clause holds where `other` comes between the writer and the reader.
  [[nodiscard]] bool has_between(const RowsProofStep& step, TxnId reader, TxnId writer,
                                 TxnId other) const;

  const History& history_;
  OrderLevel level_;
  const RowsEffects& effects_;
  const RowsBeginning& beginning_;
  RowsFindings findings_;
  RowsOrder known_;
  // What the causes of one step tell of what transactions leave; nothing: that is being found out.
  mutable std::map<std::pair<TxnId, KeyId>, std::optional<CarriedOut>> memo_;
  mutable const RowsProofStep* memo_of_ = nullptr;
  mutable std::size_t depth_ = 0;
};

}  // namespace elapid::certify
