// Characters that are not seen, or that change what stands beside them.
#ifndef ELAPID_ENGINE_IR_UNSEEN_H_
#define ELAPID_ENGINE_IR_UNSEEN_H_

namespace elapid {

/// Whether the character is one of them: control characters but tab and newline, marks of writing
/// direction, separators of lines, characters without width, halves of characters.
[[nodiscard]] bool is_unseen(char32_t code);

}  // namespace elapid

#endif  // ELAPID_ENGINE_IR_UNSEEN_H_
