// Connects to a server on a socket of the file system, and exchanges the first message.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Whether a server accepts connections on the socket.
[[nodiscard]] bool takes_connections(const std::string& socket_path);

/// Sends `greeting` (which may be empty) and returns the first answer of the server, up to 64
/// bytes. Empty if it accepts no connection, or sends nothing for a second.
[[nodiscard]] std::string first_answer(const std::string& socket_path, std::string_view greeting);

}  // namespace elapid
