// Tells streams from histories that were given to `elapid watch` by mistake.
#pragma once

#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Error kMalformed if an input is a history that can be followed, and no stream: each of its lines
/// would be an error. So if it is one of rows, of which timestamps say nothing. What is neither is
/// none here. `follow`: see WatchWords.
Status expect_stream(ByteSource& source, std::string_view follow);

}  // namespace elapid
