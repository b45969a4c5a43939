// Text as JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Appends `text` as it stands within a JSON string, which is always UTF-8: of bytes that are none,
/// as names of files may have them, each becomes U+FFFD; characters that are not seen become
/// escapes.
void append_json_text(std::string_view text, std::string& out);

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

/// The JSON string alone.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace elapid
