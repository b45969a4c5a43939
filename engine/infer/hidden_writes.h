// Writes that no other transaction should ever see: those of aborted transactions (G1a), and those
// that their own transaction overwrote (G1b).
#pragma once

#include <optional>

#include "engine/infer/write_index.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The last event, in history order, of a transaction that wrote the entry's value to the key and
/// another one later; nothing if there is none. `write`: the kind of operation that is indexed.
[[nodiscard]] std::optional<EventRef> intermediate_writer(const History& history,
                                                          const WriteEntry& entry, KeyId key,
                                                          OpKind write);

/// The event of an aborted transaction that wrote the entry's value; nothing if there is none.
[[nodiscard]] std::optional<EventRef> aborted_writer(const History& history,
                                                     const WriteEntry& entry);

}  // namespace elapid
