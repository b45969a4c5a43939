#include "harness/servers/local_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "parsers/bytes/file_descriptor.h"

namespace elapid {

namespace {

/// A connection; not open if no process listens at the path.
FileDescriptor connected(const std::string& socket_path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) {
    return {};
  }
  std::ranges::copy(socket_path, address.sun_path);
  FileDescriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const void* const plain = &address;
  return ::connect(connection.get(), static_cast<const sockaddr*>(plain), sizeof address) == 0
             ? std::move(connection)
             : FileDescriptor();
}

}  // namespace

bool takes_connections(const std::string& socket_path) {
  return connected(socket_path).is_open();
}

std::string first_answer(const std::string& socket_path, std::string_view greeting) {
  const FileDescriptor connection = connected(socket_path);
  if (!connection.is_open()) {
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
