// Text as JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Appends `text` as the inside of a JSON string, which is always UTF-8. Each stray
/// byte, as names of files may have it, becomes U+FFFD. Invisible characters become
/// escapes.
void append_json_text(std::string_view text, std::string& out);

/// Appends `text` as a JSON string with its quotes.
void append_json_string(std::string_view text, std::string& out);

/// `text` as a JSON string with its quotes.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace elapid
