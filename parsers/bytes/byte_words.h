// A byte of binary input, in the form of messages.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// `T` in backticks if it is printable; else `byte 0x1f`.
inline std::string byte_words(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  constexpr std::string_view kDigits = "0123456789abcdef";
  return code > ' ' && code < 0x7f
             ? std::string{'`', byte, '`'}
             : std::string("byte 0x") + kDigits[code >> 4] + kDigits[code & 15U];
}

}  // namespace elapid
