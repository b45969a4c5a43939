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

/// The operations as this event shows them. Those of an invocation whose shape equals the
/// completion's are the completion's: see reads_hidden.
[[nodiscard]] std::span<const Op> shown_ops(const History& history, EventRef event);

/// Whether the event is an invocation that did not know yet what shown_ops say its reads returned.
[[nodiscard]] bool reads_hidden(const History& history, EventRef event);

}  // namespace elapid
