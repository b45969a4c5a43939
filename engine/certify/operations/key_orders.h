// What assumptions about the keys (--sequential-keys, --linearizable-keys,
// --transaction-order) say about the order of operations on a key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/effects.h"
#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// With --sequential-keys, of two operations on a key the one that comes first in a session comes
/// first; with --linearizable-keys the one whose transaction had completed when the other's was
/// invoked: the version that it left behind, or read if it wrote none, is not after the one that
/// the other one read, and before the one that it wrote. Refers to its arguments.
class KeyOrders {
 public:
  KeyOrders(const History& history, const Effects& effects, const Assumptions& assumptions);

  /// Whether assumptions put `first`, which committed, before `second` on keys that both touch.
  [[nodiscard]] bool in_session(TxnId first, TxnId second) const;
  [[nodiscard]] bool in_real_time(TxnId first, TxnId second) const;

  [[nodiscard]] bool precedes(TxnId first, TxnId second) const {
    return in_session(first, second) || in_real_time(first, second);
  }

  /// Whether the order of transactions that was assumed puts `first` before `second`.
  [[nodiscard]] bool in_given_order(TxnId first, TxnId second) const;

  /// The events between which the order of two transactions is an edge.
  struct Ends {
    bool from_commit = true;
    bool to_commit = false;
  };

  /// The strongest over the keys that both touch; nothing if no key makes it one. `is_prefix`:
  /// whether writers of a key may overlap.
  [[nodiscard]] std::optional<Ends> ends(TxnId first, TxnId second, bool is_prefix) const;

  /// Why an order of events does not keep to the assumptions, if it does not. Near linear.
  [[nodiscard]] Flaw check(std::span<const OrderEvent> order, bool is_serial) const;

 private:
  [[nodiscard]] bool reads(TxnId txn, KeyId key) const;
  [[nodiscard]] std::optional<std::int64_t> place(TxnId txn) const;

  const History& history_;
  const Effects& effects_;
  const Assumptions& assumptions_;
  std::vector<std::pair<std::int64_t, std::int64_t>> places_;  // by index of the completion
};

}  // namespace elapid::certify
