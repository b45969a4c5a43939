// Characters of UTF-8, for outputs that bear no other bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elapid {

/// What stands for bytes that are no character: U+FFFD.
inline constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";

struct Utf8Character {
  char32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: there is none, but a stray byte
};

/// The character at the start of a text that is not empty.
[[nodiscard]] Utf8Character first_character(std::string_view text);

/// At most so many bytes from the beginning of a text, and no part of a character.
[[nodiscard]] std::string_view beginning_of(std::string_view text, std::size_t most);

/// The same, and then `…` if something is cut off.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// The text with each stray byte replaced by U+FFFD.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace elapid
