// Tells streams from histories that users give to `elapid watch` by mistake.
#pragma once

#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Error kMalformed for an input that is a history to follow, not a stream: each of its lines would
/// be an error. Also for a stream of rows, because timestamps cannot judge rows. Other inputs give
/// no error here. `follow`: see WatchWords.
Status expect_stream(ByteSource& source, std::string_view follow);

}  // namespace elapid
