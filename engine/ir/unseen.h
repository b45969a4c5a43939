// Characters that are invisible, or that change how their neighbours are displayed.
#pragma once

namespace elapid {

/// Whether the character is a control character other than tab and newline, a mark of writing
/// direction, a separator of lines, a character without width, or half a character.
[[nodiscard]] bool is_unseen(char32_t code);

}  // namespace elapid
