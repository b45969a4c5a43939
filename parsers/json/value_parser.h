// One JSON value (RFC 8259) from bytes to a Document.
#pragma once

#include <cstddef>

#include "engine/ir/result.h"
#include "parsers/json/document.h"
#include "parsers/json/input.h"

namespace elapid::json {

/// The deepest nesting of arrays and objects; deeper is an error.
inline constexpr std::size_t kMaxDepth = std::size_t{1} << 20;

/// Reads the value at the current token of `input` into `document`, and no byte after it. Errors:
/// those of `input`; kMalformed, with a byte offset, for text that is not JSON, for strings that
/// are not UTF-8 or have half a surrogate pair, and for numbers beyond the range of a double.
/// Linear, without recursion.
Status parse_value(Input& input, Document& document);

}  // namespace elapid::json
