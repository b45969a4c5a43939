// The transactions of one request, cut into lines: each element of an array, as TimeKiller sends
// it, becomes a line.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/spill_file.h"

namespace elapid::http {

/// Lines with their newlines, in a temporary file.
struct StreamLines {
  SpillFile text;
  std::uint64_t count = 0;  ///< lines that are not blank
};

/// Reads all of `source`: lines of a stream, or one JSON array of its objects. A last line without
/// a newline gets one. The lines are not parsed. Error: kMalformed, with line and byte, for an
/// invalid array, or for a line longer than LineSource::kLongestLine; kUsage: there are more bytes
/// than `most`; kUnreadable. O(bytes).
[[nodiscard]] Result<StreamLines> cut_into_lines(ByteSource& source, std::uint64_t most);

}  // namespace elapid::http
