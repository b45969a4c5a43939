// Text from inputs as it is shown: keys, values, processes, errors, names of files, arguments. It
// is escaped where it enters a text for people. So no escape, colour or line break of a finished
// text comes from a history.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// The text with everything visible that would not be, or would change what stands beside it:
/// control characters, marks of writing direction (Unicode's "Trojan source" ones), separators of
/// lines and characters without width become escapes as `\u202e`; stray bytes become U+FFFD.
/// Newlines and tabs stay. What is visible already is not changed.
[[nodiscard]] std::string visible(std::string_view text);

/// The same for what must stay on its line: newlines and tabs become `\n` and `\t`.
[[nodiscard]] std::string visible_line(std::string_view text);

}  // namespace elapid
