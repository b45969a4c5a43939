// The text of an event: Jepsen's operation map, made from the History and from fields that only the
// source has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "adapter/elle/document_writer.h"
#include "engine/ir/history.h"
#include "engine/verdict/event_fields.h"
#include "engine/verdict/event_ref.h"

namespace elapid {

/// `:process 0`, or the session's name in the source; nil if the reader made the session up.
void write_process(DocumentWriter& out, const History& history, TxnId txn);

/// Whether long names are whole or cut by shown_name().
enum class Names : std::uint8_t { kWhole, kCut };

/// `12`, `:x`, `"a"`, ...
void write_value(DocumentWriter& out, const History& history, ValueId value,
                 Names names = Names::kWhole);
/// The result of a read or the value of a write: a value, or the list of a kReadList.
void write_op_value(DocumentWriter& out, const History& history, Op op,
                    Names names = Names::kWhole);
/// `[:append :x 1]`, `[:r :x [1 2]]`; a hidden read prints nil.
void write_mop(DocumentWriter& out, const History& history, Op op, bool hide_read = false,
               Names names = Names::kWhole);

/// `{:index 1, :time -1, :type :ok, :process 0, :f :txn, :value [...], <extras>}`. A missing time
/// is -1, as in Elle; a process that the reader made up is nil.
void write_event(DocumentWriter& out, const History& history, EventRef event,
                 const EventFieldsFn& fields);

/// The entries of such a map beside :value.
struct EventStyle {
  bool has_value = true;
  /// Print indices and times that the source of a session trace does not have.
  bool made_up = true;
  /// Longer extras print as `…`.
  std::size_t max_extra_bytes = std::numeric_limits<std::size_t>::max();
  std::function<void()> write_more = {};  ///< further entries of the map
};

/// As write_event(), with another writer of :value, for text that leaves parts out.
void write_event_with(DocumentWriter& out, const History& history, EventRef event,
                      const EventFieldsFn& fields, EventStyle style,
                      const std::function<void()>& write_ops);

/// Whether the event has a single operation, so that :value is no vector of micro-operations.
[[nodiscard]] bool is_call(const History& history, EventRef event);

/// The event's :value in full.
void write_event_ops(DocumentWriter& out, const History& history, EventRef event,
                     Names names = Names::kWhole);

}  // namespace elapid
