// The line before the operations in Elapid's own recorder format (docs/recorder-format.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/document.h"
#include "parsers/options.h"

namespace elapid {

/// The contents of a header.
struct RecorderHeader {
  std::optional<Workload> workload = {};
  std::optional<std::string> initial = {};    ///< as EDN
  bool is_open = false;                       ///< there may have been unrecorded rows
  bool has_common_clock = true;               ///< times of different processes can be compared
  std::vector<std::string> assumptions = {};  ///< the assumptions that it implies, a sentence each
};

/// Whether an object is a header and not an operation: it has a format and no type.
[[nodiscard]] bool is_recorder_header(json::Value object);

/// Reads a header. Error kMalformed with a byte offset: another format or version, an unknown
/// workload or universe, a clock that is not a string, an initial value that is too deep.
Result<RecorderHeader> read_recorder_header(json::Value object);

/// The header at the beginning of a source, if there is one; starts over from the first byte.
/// Error: that of the header; the main reading reports other errors.
Result<std::optional<RecorderHeader>> find_recorder_header(ByteSource& source);

}  // namespace elapid
