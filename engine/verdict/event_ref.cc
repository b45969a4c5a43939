#include "engine/verdict/event_ref.h"

namespace elapid {

EventRef representative_ref(const History& history, TxnId txn) {
  return {txn, history.has_completion(txn) ? EventKind::kCompletion : EventKind::kInvocation};
}

EventRef invocation_ref(const History& history, TxnId txn) {
  return {txn, history.has_invocation(txn) ? EventKind::kInvocation : EventKind::kCompletion};
}

std::span<const Op> shown_ops(const History& history, EventRef event) {
  if (event.kind == EventKind::kInvocation) {
    if (const auto invoked = history.differing_invocation(event.txn)) {
      return *invoked;
    }
  }
  return history.ops(event.txn);
}

bool reads_hidden(const History& history, EventRef event) {
  return event.kind == EventKind::kInvocation && history.has_completion(event.txn) &&
         !history.differing_invocation(event.txn).has_value();
}

}  // namespace elapid
