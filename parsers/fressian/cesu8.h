// Fressian's strings: each UTF-16 unit in one to three bytes, halves of surrogate pairs apart.
#pragma once

#include <string>
#include <string_view>

namespace elapid::fressian {

/// Appends the string as an EDN token with its quotes, in UTF-8. Half a surrogate pair that has
/// lost the other half becomes a \u escape. False, with a part of the text in `out`, if the bytes
/// are no such string: four-byte UTF-8 is none.
bool append_quoted(std::string_view cesu8, std::string& out);

/// Appends what an EDN string token, as the scanner accepts it, stands for.
void append_cesu8(std::string_view token, std::string& out);

}  // namespace elapid::fressian
