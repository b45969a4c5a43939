// A stream of events as a History in memory, for checks and for formats that need the whole
// history.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/generate/event_source.h"

namespace elapid {

/// Takes all events of transactions; single operations are not supported. `with_timestamps`: each
/// transaction is one event, with its times and the database's timestamps. Errors: those of the
/// builder, which has room for 2^32 operations.
[[nodiscard]] Result<History> to_history(EventSource& source, bool with_timestamps = false);

}  // namespace elapid
