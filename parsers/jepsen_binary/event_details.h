// One operation of a binary history, read again.
#ifndef ELAPID_PARSERS_JEPSEN_BINARY_EVENT_DETAILS_H_
#define ELAPID_PARSERS_JEPSEN_BINARY_EVENT_DETAILS_H_

#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid {

/// Reads the operation at `offset`, as SourcePosition gives it, once more. Fressian's caches go
/// through a whole block, so the block is decoded from its beginning: in test.jepsen a chunk of
/// 16,384 operations as a rule, in test.fressian the file.
Result<EventDetails> read_jepsen_binary_event_details(ByteSource& source, std::uint64_t offset);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_BINARY_EVENT_DETAILS_H_
