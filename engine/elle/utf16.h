// Text as Java keeps it, in UTF-16.
#pragma once

#include <string>
#include <string_view>

namespace elapid::elle {

/// Of valid UTF-8.
[[nodiscard]] std::u16string utf16(std::string_view text);

/// What a canonical EDN string stands for; `token` has its quotes and escapes.
[[nodiscard]] std::u16string utf16_of_string(std::string_view token);

/// What a canonical EDN character stands for, as `\a`, `\newline` or `\u00e9`.
[[nodiscard]] char16_t utf16_of_character(std::string_view token);

}  // namespace elapid::elle
