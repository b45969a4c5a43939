// One JSON value (RFC 8259) from bytes to a Document.
#pragma once

#include <cstddef>

#include "engine/ir/result.h"
#include "parsers/json/document.h"
#include "parsers/json/input.h"

namespace elapid::json {

/// Arrays and objects around one another; more are an error.
inline constexpr std::size_t kMaxDepth = std::size_t{1} << 20;

/// Reads the value that the current token of `input` begins, and nothing behind it, into
/// `document`. Errors: kMalformed with a byte offset for what is not JSON, for strings that are not
/// UTF-8 or have half a surrogate pair, and for numbers that no double can come near; those of
/// `input`. Linear, without recursion.
Status parse_value(Input& input, Document& document);

}  // namespace elapid::json
