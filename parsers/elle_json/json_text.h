// EDN values as JSON for elle-cli.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON of one printed EDN form. Keywords become strings without their colon, sets
/// become arrays, keys of maps become strings. Numbers stay numbers if JSON can write them.
/// Characters, symbols, ratios and tagged forms become strings of their text.
void append_json_of_edn(std::string_view edn, std::string& out);

}  // namespace elapid
