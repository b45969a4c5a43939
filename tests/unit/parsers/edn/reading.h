// What the tests of EDN share: the first form of a text, as text or as an error.
#pragma once

#include <string>

#include "parsers/edn/value_text.h"

namespace elapid::edn {

/// The text of the first form; `EOF` if there is none, `error at N: ...` if it is wrong.
inline std::string read_form(const std::string& input, TextStyle style,
                             std::size_t window_bytes = Scanner::kWindowBytes) {
  const auto describe_error = [](const Error& error) {
    return "error at " + std::to_string(error.byte_offset.value_or(999'999)) + ": " + error.message;
  };
  const auto source = memory_source("test", input);
  Scanner scanner(*source, 0, window_bytes);
  if (scanner.next() == TokenKind::kEnd) {
    return "EOF";
  }
  std::string out;
  const Status status = append_form(scanner, style, out);
  return status.ok() ? out : describe_error(status.error());
}

inline std::string canonical(const std::string& input) {
  return read_form(input, TextStyle::kCanonical);
}

inline std::string printed(const std::string& input) {
  return read_form(input, TextStyle::kPrinted);
}

}  // namespace elapid::edn
