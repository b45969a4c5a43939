// Characters of UTF-8, for outputs that allow no other bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elapid {

/// The replacement for stray bytes: U+FFFD.
inline constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";

struct Utf8Character {
  char32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: the text begins with a stray byte
};

/// The first character of a text, which must not be empty.
[[nodiscard]] Utf8Character first_character(std::string_view text);

/// The beginning of a text: at most so many bytes, and whole characters only.
[[nodiscard]] std::string_view beginning_of(std::string_view text, std::size_t most);

/// The same, with `…` in place of the rest.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// The text with each stray byte replaced by U+FFFD.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace elapid
