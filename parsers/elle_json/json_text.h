// EDN values as the JSON that elle-cli reads.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON counterpart of one printed EDN form: keywords become strings without their
/// colon, sets arrays, keys of maps strings; numbers stay where JSON can write them; characters,
/// symbols, ratios and tagged forms become strings of their text.
void append_json_of_edn(std::string_view edn, std::string& out);

}  // namespace elapid
