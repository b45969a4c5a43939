#include "engine/ir/json_string.h"

namespace elapid {

void append_json_char(char c, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (byte < 0x20 || byte == 0x7f) {
    out += "\\u00";
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  } else {
    out += c;
  }
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    append_json_char(c, out);
  }
  out += '"';
}

std::string json_quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

}  // namespace elapid
