// The order of operations on a key by the assumptions about keys (--sequential-keys,
// --linearizable-keys, --transaction-order).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/participants.h"
#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// The events that an edge between two transactions connects.
struct Ends {
  bool from_commit = true;
  bool to_commit = false;
};

/// --sequential-keys orders two operations on a key as their session does; --linearizable-keys, if
/// the first's transaction completed before the second's was invoked. Then the version that the
/// first left, or read if it wrote none, is not after the version that the second read, and before
/// the version that the second wrote. Refers to its arguments.
class KeyOrders {
 public:
  KeyOrders(const History& history, const Effects& effects, const Assumptions& assumptions);

  /// Whether assumptions put `first`, which committed, before `second`, for keys that both touch.
  [[nodiscard]] bool in_session(TxnId first, TxnId second) const {
    return assumptions_.sequential_keys && precedes_in_session(history_, first, second);
  }

  [[nodiscard]] bool in_real_time(TxnId first, TxnId second) const {
    return assumptions_.linearizable_keys && precedes_in_real_time(history_, first, second);
  }

  [[nodiscard]] bool precedes(TxnId first, TxnId second) const {
    return in_session(first, second) || in_real_time(first, second);
  }

  /// Whether the assumed order of transactions puts `first` before `second`.
  [[nodiscard]] bool in_given_order(TxnId first, TxnId second) const;

  /// The strongest ends over the keys that both touch; nothing if no key gives an edge.
  /// `is_prefix`: whether writers of a key may overlap.
  [[nodiscard]] std::optional<Ends> ends(TxnId first, TxnId second, bool is_prefix) const;

  /// Why an order of events violates the assumptions; nothing if it does not. Near linear.
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
