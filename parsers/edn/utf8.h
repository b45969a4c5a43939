// UTF-8, one code point at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace elapid::edn {

struct CodePoint {
  std::uint32_t code = 0;
  std::uint32_t length = 0;  ///< bytes; 0 if the text does not begin with valid UTF-8
};

/// The first code point of `text`: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint decode_utf8(std::string_view text);

/// Appends a code point that is not a surrogate.
void append_utf8(std::uint32_t code, std::string& out);

inline bool is_surrogate(std::uint32_t code) {
  return code >= 0xd800 && code <= 0xdfff;
}

}  // namespace elapid::edn
