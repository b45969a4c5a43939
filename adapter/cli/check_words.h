// What to type to ask the same question again.
#ifndef ELAPID_ADAPTER_CLI_CHECK_WORDS_H_
#define ELAPID_ADAPTER_CLI_CHECK_WORDS_H_

#include <string>
#include <string_view>

#include "adapter/cli/check_request.h"

namespace elapid {

/// The word as a POSIX shell takes it: in quotes where it must be.
[[nodiscard]] std::string shell_word(std::string_view word);

/// The flags that say what to read, what to check and how hard to try, in one order, whatever the
/// order in which they were typed: `-c serializable --linearizable-keys`. Each begins with a blank.
/// Flags on threads and outputs, which change no answer, are not among them.
[[nodiscard]] std::string question_words(const CheckFlags& flags);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_CHECK_WORDS_H_
