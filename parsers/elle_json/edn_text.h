// JSON values as EDN, in the way of elle-cli.
//
// Keys of objects become keywords. So does the text under a key `type` or `f` (other values there
// become nil). Under a key `value`, an array whose first element is an array that begins with a
// string holds micro-operations: the first element of each becomes a keyword. All other strings
// stay strings.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/edn/number.h"
#include "parsers/json/document.h"

namespace elapid {

/// Appends the text of a value. If an object has a key twice, the last value counts. Error:
/// kMalformed for more than edn::kMaxFormDepth nested arrays and objects; `out` then holds a part
/// of the text. Time O(n log n) for an object of n keys.
Status append_edn(json::Value value, edn::TextStyle style, std::string& out);

/// Appends the text of the value of this key of an object.
Status append_edn_of_key(std::string_view key, json::Value value, edn::TextStyle style,
                         std::string& out);

/// Appends a number, as append_edn does.
void append_edn_number(std::string_view number, edn::TextStyle style, std::string& out);

/// Appends a string between quotes, with the escapes that Clojure prints.
void append_edn_string(std::string_view text, std::string& out);

}  // namespace elapid
