// The text of EDN strings and characters, and its form as Clojure prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace elapid::edn {

/// The UTF-16 unit of a character token such as `\a`, `\newline`, `\u0041` or `\o101`; nothing for
/// an invalid token.
std::optional<std::uint32_t> character_code(std::string_view token);

/// Appends a character as Clojure prints it.
void append_character(std::uint32_t code, std::string& out);

/// Whether append_string() would append the token unchanged: it has no escapes, and needs none.
[[nodiscard]] bool is_printed_string(std::string_view token);

/// Appends a string as Clojure prints it. `token`: accepted by the scanner, with its quotes. Only
/// quote, backslash and the five control characters with names are escaped. Half a surrogate pair,
/// which UTF-8 cannot express, stays a \u escape.
void append_string(std::string_view token, std::string& out);

/// Appends a pattern as a tagged string, as Jepsen's binary files have it: `#"a\d"` becomes `#regex
/// "a\\d"`.
void append_regex(std::string_view token, std::string& out);

/// The number of `digits` in this radix; nothing if one of them is no digit.
std::optional<std::uint32_t> parse_code(std::string_view digits, int radix);

}  // namespace elapid::edn
