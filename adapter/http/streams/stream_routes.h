// The addresses below /v1/streams, and POST /check as TimeKiller's online mode has it.
#pragma once

#include "adapter/http/routes.h"
#include "adapter/http/streams/streams.h"

namespace elapid::http {

/// Borrows `streams`.
void add_stream_routes(RouteTable& routes, Streams& streams);

}  // namespace elapid::http
