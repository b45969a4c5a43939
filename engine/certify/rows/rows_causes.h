// Re-checks one step of a proof about rows: the state of the rows that its causes imply, and
// whether its clause names every way in which a cause can be false.
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

/// Borrows all arguments. Identifies steps by their addresses.
class RowsCauses {
 public:
  /// Whether the step would also hold if this other transaction were the last writer.
  using NoBetter = std::function<bool(TxnId)>;

  RowsCauses(const History& history, OrderLevel level, const RowsEffects& effects,
             const RowsBeginning& beginning)
      : history_(history),
        level_(level),
        effects_(effects),
        beginning_(beginning),
        findings_(history),
        known_(history, level) {}

  /// Notes a proved clause. If it is one choice about the order, that order is known from now on.
  void add_proved(const std::vector<RowsChoice>& clause);

  /// Whether `a` is known to commit before `b` starts.
  [[nodiscard]] bool precedes(TxnId a, TxnId b) const {
    return known_.precedes({a, true}, start(b));
  }

  /// The event at which a transaction reads.
  [[nodiscard]] OrderEvent start(TxnId txn) const {
    return {txn, !has_two_events(level_.visibility)};
  }

  /// Whether the clause holds if the transaction does not take effect.
  [[nodiscard]] bool leaves_out(const RowsProofStep& step, TxnId txn) const;

  /// The row when the transaction reads, by the causes. A chain of causes that returns to its
  /// beginning implies nothing.
  [[nodiscard]] KnownRow before_txn(const RowsProofStep& step, TxnId reader, KeyId key) const;

  /// The row after the transaction's commit, by the causes.
  [[nodiscard]] CarriedOut after(const RowsProofStep& step, TxnId txn, KeyId key) const;

  /// Null if the clause names all ways in which the cause was not the last before its reader.
  /// `is_no_better`: the transactions that make no difference as last writers.
  [[nodiscard]] const char* flaw_of_cause(const RowsProofStep& step, const LastWriter& cause,
                                          const NoBetter& is_no_better) const;

 private:
  /// The most causes in a chain; longer chains imply nothing.
  static constexpr std::size_t kMostDepth = 2000;

  /// Whether the clause holds if the reader comes before the writer of the cause.
  [[nodiscard]] bool has_reader_first(const RowsProofStep& step, const LastWriter& cause) const;

  /// A finding and a part of its row. A transaction that wrote the part between the cause's writer
  /// and its reader would change the finding, unless the clause says that it comes in between.
  struct Undisturbed {
    LaterFinding found;
    std::uint32_t part = 0;
    /// The finding is a successor's, which may read before the reader. So a transaction that writes
    /// the part after the cause's writer writes it after the successor.
    bool by_successor = false;
  };

  [[nodiscard]] std::vector<Undisturbed> undisturbed(const RowsProofStep& step,
                                                     const LastWriter& cause) const;

  /// Whether the transaction certainly comes after the cause's writer and does not commit before
  /// the reader reads, unless the clause holds.
  [[nodiscard]] bool is_successor(const RowsProofStep& step, const LastWriter& cause,
                                  TxnId txn) const;

  /// Whether the two cannot overlap, since both certainly write the row.
  [[nodiscard]] bool exclude_one_another(TxnId a, TxnId b, KeyId row) const;

  /// Whether `other` cannot have come between, since a finding would show it.
  [[nodiscard]] bool would_be_found(const LastWriter& cause, TxnId other,
                                    std::span<const Undisturbed> undisturbed) const;

  /// Whether the operation may have its finding of the row if the transaction was the last to write
  /// this part of the row.
  [[nodiscard]] bool may_have_left(TxnId txn, KeyId row, std::uint32_t part,
                                   const LaterFinding& found) const;

  /// Whether the clause holds if `other` comes between the writer and the reader.
  [[nodiscard]] bool has_between(const RowsProofStep& step, TxnId reader, TxnId writer,
                                 TxnId other) const;

  const History& history_;
  OrderLevel level_;
  const RowsEffects& effects_;
  const RowsBeginning& beginning_;
  RowsFindings findings_;
  RowsOrder known_;
  // By the causes of one step: the rows that transactions leave. Nothing: the look-up is under way.
  mutable std::map<std::pair<TxnId, KeyId>, std::optional<CarriedOut>> memo_;
  mutable const RowsProofStep* memo_of_ = nullptr;
  mutable std::size_t depth_ = 0;
};

}  // namespace elapid::certify
