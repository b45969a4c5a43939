// A JSON value in text that is complete in memory, as a line of a larger input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/json/document.h"

namespace elapid::json {

/// Reads the value at the beginning of `text` into `document`, and returns its size in bytes.
/// `text` is at byte `offset` of an input; offsets in the document and in errors count from there.
/// Errors: those of parse_value().
Result<std::size_t> parse_piece(std::string_view text, std::uint64_t offset, Document& document);

}  // namespace elapid::json
