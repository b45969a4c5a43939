// How an event prints: Jepsen's operation map, made from the History and from what only the source
// knows.
#ifndef ELAPID_ADAPTER_ELLE_EVENT_TEXT_H_
#define ELAPID_ADAPTER_ELLE_EVENT_TEXT_H_

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// What an event says beyond what the History keeps, as printed EDN.
struct EventFields {
  std::string f = ":txn";
  std::vector<std::pair<std::string, std::string>> extras = {};  ///< key and value, in source order
};

/// Fetches the fields of an event; may be empty, and then every event is a plain `:f :txn`.
using EventFieldsFn = std::function<EventFields(TxnId, EventKind)>;

/// The event that stands for a transaction in evidence: its completion, else its invocation.
[[nodiscard]] EventRef representative_ref(const History& history, TxnId txn);

/// The operations as this event shows them. Those of an invocation whose shape equals the
/// completion's are the completion's: see reads_hidden.
[[nodiscard]] std::span<const Op> event_ops(const History& history, EventRef event);

/// Whether the event is an invocation that did not know yet what event_ops say its reads returned.
[[nodiscard]] bool reads_hidden(const History& history, EventRef event);

/// `12`, `:x`, `"a"`, ...
void write_value(DocumentWriter& out, const History& history, ValueId value);
/// What a read returned or a write wrote: a value, or the list of a kReadList.
void write_op_value(DocumentWriter& out, const History& history, Op op);
/// `[:append :x 1]`, `[:r :x [1 2]]`; a hidden read prints nil.
void write_mop(DocumentWriter& out, const History& history, Op op, bool hide_read = false);

/// `{:index 1, :time -1, :type :ok, :process 0, :f :txn, :value [...], <extras>}`. A missing time
/// is -1, as in Elle; a process that the reader made up is nil.
void write_event(DocumentWriter& out, const History& history, EventRef event,
                 const EventFieldsFn& fields);

/// The same map with another writer of :value, for text that leaves things out. Extras longer than
/// `max_extra_bytes` print as `…`.
void write_event_with(DocumentWriter& out, const History& history, EventRef event,
                      const EventFieldsFn& fields, std::size_t max_extra_bytes,
                      const std::function<void()>& write_ops);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_ELLE_EVENT_TEXT_H_
