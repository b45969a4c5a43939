// Bytes as hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace elapid::fressian {

/// Appends two lower-case digits a byte.
void append_hex(std::string_view bytes, std::string& out);

/// Whether the text is two digits a byte.
[[nodiscard]] bool is_hex(std::string_view text);

/// The bytes of a text that is_hex().
[[nodiscard]] std::string unhex(std::string_view digits);

}  // namespace elapid::fressian
