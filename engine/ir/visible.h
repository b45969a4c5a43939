// Text from inputs as reports show it: keys, values, processes, errors, names of files, arguments.
// Each such text is escaped where it enters a text for people. So no history can put an escape
// sequence, a colour or a line break into a report.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// The text with invisible characters made visible. Control characters, marks of writing
/// direction (Unicode's "Trojan source" ones), separators of lines and characters without width
/// become escapes as `\u202e`. Stray bytes become U+FFFD. Newlines, tabs and visible characters
/// stay.
[[nodiscard]] std::string visible(std::string_view text);

/// The same on one line: newlines and tabs become `\n` and `\t`.
[[nodiscard]] std::string visible_line(std::string_view text);

}  // namespace elapid
