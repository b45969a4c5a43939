// A stream of events as a History in memory, for checks and for formats that cannot be written as
// events come.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/generate/event_source.h"

namespace elapid {

/// Takes all events of transactions; those of single operations have no History here. Where
/// `with_timestamps` is said each transaction comes whole, with its times and the timestamps that
/// the database gave. Error: of the builder, which has room for 2^32 operations.
[[nodiscard]] Result<History> to_history(EventSource& source, bool with_timestamps = false);

}  // namespace elapid
