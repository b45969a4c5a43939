// The routes below /v1/streams, and POST /check as in TimeKiller's online mode.
#pragma once

#include "adapter/http/routes.h"
#include "adapter/http/streams/streams.h"

namespace elapid::http {

/// Borrows `streams`.
void add_stream_routes(RouteTable& routes, Streams& streams);

}  // namespace elapid::http
