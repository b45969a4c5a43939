// Text for terminals and logs, in which names from histories do no harm.
#ifndef ELAPID_ADAPTER_DOOR_PRINTABLE_H_
#define ELAPID_ADAPTER_DOOR_PRINTABLE_H_

#include <string>
#include <string_view>

namespace elapid {

/// Text that commands no terminal, whatever the names of files, keys and processes in it are:
/// control characters become escapes as \u001b. Newlines, tabs and the escapes that set colours
/// stay.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for what must stay on its line: newlines, tabs and colours become escapes too.
[[nodiscard]] std::string printable_line(std::string_view text);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_DOOR_PRINTABLE_H_
