// Fressian's strings: each UTF-16 unit in one to three bytes, halves of surrogate pairs apart.
#pragma once

#include <string>
#include <string_view>

namespace elapid::fressian {

/// Appends the string as an EDN token with its quotes, in UTF-8. An unpaired half of a surrogate
/// pair becomes a \u escape. False, with a part of the text in `out`, if the bytes are not CESU-8:
/// four-byte UTF-8 is not.
bool append_quoted(std::string_view cesu8, std::string& out);

/// Appends the string that an EDN token means, which the scanner has accepted.
void append_cesu8(std::string_view token, std::string& out);

}  // namespace elapid::fressian
