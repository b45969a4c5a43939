// Histories of independent keys that are together bigger than memory. The lines of the input are
// scattered to partitions by the keys of their tuples, and each partition is read as an input of
// its own.
//
// All lines keep their numbers, so a verdict has the same citations as if all keys were in
// memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/partitions/scatter.h"
#include "parsers/read.h"

namespace elapid {

/// The history of a key, and its place among those of all keys, by their first lines.
struct KeyedHistory {
  LoadedHistory loaded;
  std::size_t place = 0;
  std::size_t keys = 1;
};

/// Why the input of a single history is not read in this way.
inline constexpr std::string_view kNoKeys = "its beginning shows no independent keys";

/// Calls `visit` with the history of each key, one partition after another. Returns an empty text
/// if all were visited. Otherwise returns the reason, and leaves `source` at its first byte;
/// earlier visits do not count. Disk: the input. Memory: the histories of one partition, and the
/// names of all keys. Error: kUnreadable of files, kUsage if it was stopped, and those of `visit`.
Result<std::string> visit_keys(ByteSource& source, const ScatterOptions& options,
                               unsigned partitions,
                               const std::function<Status(KeyedHistory)>& visit);

}  // namespace elapid
