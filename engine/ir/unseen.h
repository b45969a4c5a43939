// Characters that are invisible, or that change how their neighbours are displayed.
#pragma once

namespace elapid {

/// Whether the character is one of them: control characters but tab and newline, marks of writing
/// direction, separators of lines, characters without width, halves of characters.
[[nodiscard]] bool is_unseen(char32_t code);

}  // namespace elapid
