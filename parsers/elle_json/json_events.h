// Jepsen's histories in JSON: reading one, and reading one of its events again.
#ifndef ELAPID_PARSERS_ELLE_JSON_JSON_EVENTS_H_
#define ELAPID_PARSERS_ELLE_JSON_JSON_EVENTS_H_

#include <cstdint>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/op_history.h"
#include "parsers/options.h"

namespace elapid {

/// Reads a whole history from the first byte of `source` on: one array of objects, or objects one
/// after another, behind a recorder's header or not (docs/recorder-format.md). `format` is the name
/// it gets, kJson or kJsonl; both are read alike. What values are is said in edn_text.h, the rest
/// in read_edn_history, whose rules are the same.
Result<History> read_json_history(ByteSource& source, const ReadOptions& options, Format format);

/// Reads the histories of independent keys; errors alike.
Result<std::vector<IndependentHistory>> read_independent_json(ByteSource& source,
                                                              const ReadOptions& options,
                                                              Format format);

/// Reads the event at `offset`, as SourcePosition gives it, once more. A value too deep to be
/// printed comes out as `...`.
Result<EventDetails> read_json_event_details(ByteSource& source, std::uint64_t offset);

}  // namespace elapid

#endif  // ELAPID_PARSERS_ELLE_JSON_JSON_EVENTS_H_
