// Writes that no other transaction may ever see: those of aborted transactions (G1a), and those
// that their own transaction overwrote (G1b).
#pragma once

#include <optional>

#include "engine/infer/write_index.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The event, the last in history order, of a transaction that wrote the entry's value to the key
/// and later another value; nothing if there is none. `write`: the kind of operation in the index.
[[nodiscard]] std::optional<EventRef> intermediate_writer(const History& history,
                                                          const WriteEntry& entry, KeyId key,
                                                          OpKind write);

/// The event of an aborted transaction that wrote the entry's value; nothing if there is none.
[[nodiscard]] std::optional<EventRef> aborted_writer(const History& history,
                                                     const WriteEntry& entry);

}  // namespace elapid
