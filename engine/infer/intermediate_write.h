// Writes that their own transaction overwrote: what nobody else should ever see (G1b).
#ifndef ELAPID_ENGINE_INFER_INTERMEDIATE_WRITE_H_
#define ELAPID_ENGINE_INFER_INTERMEDIATE_WRITE_H_

#include <optional>

#include "engine/infer/write_index.h"
#include "engine/ir/history.h"
#include "engine/verdict.h"

namespace elapid {

/// The last event, in history order, of a transaction that wrote the entry's value to the key and
/// another one later; nothing if there is none. `write`: the kind of operation that is indexed.
[[nodiscard]] std::optional<EventRef> intermediate_writer(const History& history,
                                                          const WriteEntry& entry, KeyId key,
                                                          OpKind write);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_INTERMEDIATE_WRITE_H_
