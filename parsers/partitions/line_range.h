// The lines of an input that one of several ranks reads: as many bytes as the others, about.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Bytes from the beginning of a line to the end of the same or a later line.
struct LineRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t lines = 0;
};

/// Whether any byte can be read without those before it: in a file that is not compressed.
[[nodiscard]] bool has_ranges(ByteSource& source);

/// The range of `rank` among `count`; empty if lines are too long for all ranks to have some.
/// Requires has_ranges(). O(bytes of the range), because it counts lines.
Result<LineRange> range_of(ByteSource& source, unsigned rank, unsigned count);

/// The bytes of a range, with the name and the line limit of `whole`, which must outlive it.
std::unique_ptr<ByteSource> range_source(ByteSource& whole, const LineRange& range);

}  // namespace elapid
