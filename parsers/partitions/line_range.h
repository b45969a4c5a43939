// The lines of an input that one of several ranks reads: about as many bytes as the others read.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Bytes from the beginning of a line to the end of another one.
struct LineRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t lines = 0;
};

/// Whether any byte can be read before those in front of it: a file that is not compressed.
[[nodiscard]] bool has_ranges(ByteSource& source);

/// The range of `rank` among `count`; empty where lines are too long for all to have some. Requires
/// has_ranges(). O(bytes of the range), which it reads to count lines.
Result<LineRange> range_of(ByteSource& source, unsigned rank, unsigned count);

/// The bytes of a range, with the name and the line limit of `whole`, which must outlive it.
std::unique_ptr<ByteSource> range_source(ByteSource& whole, const LineRange& range);

}  // namespace elapid
