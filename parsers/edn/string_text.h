// The text of EDN strings and characters, and how Clojure prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace elapid::edn {

/// The UTF-16 unit that a character token such as `\a`, `\newline`, `\u0041` or `\o101` means, or
/// nothing if it means none.
std::optional<std::uint32_t> character_code(std::string_view token);

/// Appends a character as Clojure prints it.
void append_character(std::uint32_t code, std::string& out);

/// Whether append_string() would append the token as it stands: it escapes nothing, and need not.
[[nodiscard]] bool is_printed_string(std::string_view token);

/// Appends the string whose token, quotes included, the scanner accepted, as Clojure prints it:
/// only quote, backslash and the five control characters with names are escaped. Half a surrogate
/// pair, which UTF-8 cannot express, stays a \u escape.
void append_string(std::string_view token, std::string& out);

/// Appends a pattern as the tagged string that Jepsen's binary files have for it: `#"a\d"` becomes
/// `#regex "a\\d"`.
void append_regex(std::string_view token, std::string& out);

/// The number that `digits` are in this radix, or nothing if one of them is no digit.
std::optional<std::uint32_t> parse_code(std::string_view digits, int radix);

}  // namespace elapid::edn
