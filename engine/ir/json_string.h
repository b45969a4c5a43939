// Text as JSON strings.
#ifndef ELAPID_ENGINE_IR_JSON_STRING_H_
#define ELAPID_ENGINE_IR_JSON_STRING_H_

#include <string>
#include <string_view>

namespace elapid {

/// Appends a byte of UTF-8 text as it stands in a JSON string.
void append_json_char(char c, std::string& out);

/// Appends `text`, which is UTF-8, as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

/// The JSON string alone.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace elapid

#endif  // ELAPID_ENGINE_IR_JSON_STRING_H_
