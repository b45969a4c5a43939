#include "adapter/door/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace elapid {
namespace {

/// Bytes of the escape that begins here and sets colours, as \033[1;31m; 0 if none does.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) {
    return 0;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// The control character that begins here, C0, DEL or C1 in UTF-8, and its length; 0 if none does.
std::pair<unsigned, std::size_t> control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) {
    return {byte(0), 1};
  }
  const bool is_c1 = byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0;
  return is_c1 ? std::pair(unsigned{byte(1)}, std::size_t{2}) : std::pair(0U, std::size_t{0});
}

std::string escaped(std::string_view text, bool is_line) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t colour = is_line ? 0 : colour_length(text);
    const auto [control, length] = control_at(text);
    const bool stays = length == 0 || (!is_line && (control == '\n' || control == '\t'));
    const std::size_t taken = colour > 0 ? colour : std::max<std::size_t>(length, 1);
    if (colour > 0 || stays) {
      out += text.substr(0, taken);
    } else {
      out += control == '\n' ? "\\n" : control == '\t' ? "\\t" : fmt::format("\\u{:04x}", control);
    }
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, false);
}

std::string printable_line(std::string_view text) {
  return escaped(text, true);
}

}  // namespace elapid
