// One of a transaction's events, and the operations as that event shows them.
#pragma once

#include <span>

#include "engine/ir/history.h"
#include "engine/ir/ids.h"

namespace elapid {

/// One of a transaction's two events.
struct EventRef {
  TxnId txn;
  EventKind kind = EventKind::kCompletion;
  friend bool operator==(EventRef, EventRef) = default;
};

/// The event that stands for a transaction in evidence: its completion, else its invocation.
[[nodiscard]] EventRef representative_ref(const History& history, TxnId txn);

/// The transaction's invocation, else its completion.
[[nodiscard]] EventRef invocation_ref(const History& history, TxnId txn);

/// The operations that this event shows. If the shapes of invocation and completion are equal,
/// these are the completion's for both: see reads_hidden().
[[nodiscard]] std::span<const Op> shown_ops(const History& history, EventRef event);

/// Whether the event is an invocation: its reads did not have the results in shown_ops() yet.
[[nodiscard]] bool reads_hidden(const History& history, EventRef event);

}  // namespace elapid
