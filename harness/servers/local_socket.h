// Connects to a server on a socket of the file system, and exchanges the first message.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Whether a server takes connections on it.
[[nodiscard]] bool takes_connections(const std::string& socket_path);

/// What the server says first, after it was told `greeting` (which may be empty): up to 64 bytes.
/// Empty if it takes no connection, or says nothing for a second.
[[nodiscard]] std::string first_answer(const std::string& socket_path, std::string_view greeting);

}  // namespace elapid
