#include "engine/infer/hidden_writes.h"

#include <span>

namespace elapid {

namespace {

bool overwrites(std::span<const Op> ops, OpKind write, KeyId key, ValueId value) {
  bool found = false;
  for (const Op op : ops) {
    if (op.kind() == write && op.key() == key) {
      if (found) {
        return true;
      }
      found = op.value() == value;
    }
  }
  return false;
}

}  // namespace

std::optional<EventRef> intermediate_writer(const History& history, const WriteEntry& entry,
                                            KeyId key, OpKind write) {
  std::optional<EventRef> last;
  EventId at;
  for (const TxnId txn : {entry.writer, entry.aborted, entry.attempted}) {
    if (txn.is_none()) {
      continue;
    }
    const bool by_invocation = !history.has_completion(txn) || txn == entry.attempted;
    const auto invoked = history.aborted_attempt(txn);
    const EventId id = by_invocation ? history.invocation_id(txn) : history.completion_id(txn);
    if (overwrites(by_invocation && invoked ? *invoked : history.ops(txn), write, key,
                   entry.value) &&
        (!last || id > at)) {
      last = EventRef{txn, by_invocation ? EventKind::kInvocation : EventKind::kCompletion};
      at = id;
    }
  }
  return last;
}

std::optional<EventRef> aborted_writer(const History& history, const WriteEntry& entry) {
  if (!entry.aborted.is_none()) {
    return EventRef{entry.aborted, EventKind::kCompletion};
  }
  const bool attempt_aborted =
      !entry.attempted.is_none() && history.status(entry.attempted) == TxnStatus::kAborted;
  return attempt_aborted ? std::optional(EventRef{entry.attempted, EventKind::kInvocation})
                         : std::nullopt;
}

}  // namespace elapid
