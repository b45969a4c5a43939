#include "harness/servers/local_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "parsers/bytes/file_descriptor.h"

namespace elapid {

std::string first_answer(const std::string& socket_path, std::string_view greeting) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) {
    return "";
  }
  std::ranges::copy(socket_path, address.sun_path);
  const FileDescriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(connection.get(), static_cast<const sockaddr*>(static_cast<const void*>(&address)),
                sizeof address) != 0) {
    return "";
  }
  if (!greeting.empty() &&
      ::send(connection.get(), greeting.data(), greeting.size(), MSG_NOSIGNAL) < 0) {
    return "";
  }
  pollfd wait = {connection.get(), POLLIN, 0};
  std::array<char, 64> answer{};
  if (::poll(&wait, 1, 1000) <= 0) {
    return "";
  }
  const ssize_t got = ::read(connection.get(), answer.data(), answer.size());
  return got > 0 ? std::string(answer.data(), static_cast<std::size_t>(got)) : "";
}

}  // namespace elapid
