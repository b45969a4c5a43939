// Bytes as hexadecimal digits.
#ifndef ELAPID_PARSERS_FRESSIAN_HEX_H_
#define ELAPID_PARSERS_FRESSIAN_HEX_H_

#include <string>
#include <string_view>

namespace elapid::fressian {

/// Appends two lower-case digits a byte.
void append_hex(std::string_view bytes, std::string& out);

/// Whether the text is two digits a byte.
[[nodiscard]] bool is_hex(std::string_view text);

/// The bytes of such a text.
[[nodiscard]] std::string unhex(std::string_view digits);

}  // namespace elapid::fressian

#endif  // ELAPID_PARSERS_FRESSIAN_HEX_H_
