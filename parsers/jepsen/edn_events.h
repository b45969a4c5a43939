// Jepsen's histories in EDN: reading one, and reading one of its events again.
#ifndef ELAPID_PARSERS_JEPSEN_EDN_EVENTS_H_
#define ELAPID_PARSERS_JEPSEN_EDN_EVENTS_H_

#include <cstdint>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/op_history.h"
#include "parsers/options.h"

namespace elapid {

/// Reads a whole history from the first byte of `source` on, as read_op_history says. Events whose
/// :process is not an integer are counted and otherwise ignored, whatever their values are.
Result<History> read_edn_history(ByteSource& source, const ReadOptions& options);

/// Reads the histories of independent keys; errors alike.
Result<std::vector<IndependentHistory>> read_independent_edn(ByteSource& source,
                                                             const ReadOptions& options);

/// Reads the event at `offset`, as SourcePosition gives it, once more. A value that cannot be
/// printed, such as one that is too deep, comes out as `...`.
Result<EventDetails> read_edn_event_details(ByteSource& source, std::uint64_t offset);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_EDN_EVENTS_H_
