#include "parsers/bytes/file_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace elapid {

FileDescriptor::~FileDescriptor() {
  if (is_open()) {
    ::close(fd_);
  }
}

FileDescriptor FileDescriptor::duplicate(int fd) {
  return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

Result<std::size_t> FileDescriptor::read(std::span<char> into, std::string_view name) const {
  while (true) {
    const ssize_t count = ::read(fd_, into.data(), into.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) {
      return system_error(name, "cannot be read");
    }
  }
}

Result<std::size_t> FileDescriptor::read_at(std::uint64_t offset, std::span<char> into,
                                            std::string_view name) const {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t count = ::pread(fd_, into.data() + filled, into.size() - filled,
                                  static_cast<off_t>(offset + filled));
    if (count == 0) {
      break;
    }
    if (count > 0) {
      filled += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return system_error(name, "cannot be read");
    }
  }
  return filled;
}

Error system_error(std::string_view name, std::string_view what) {
  Error error;
  error.kind = ErrorKind::kUnreadable;
  error.message = std::string(what) + ": " + std::strerror(errno);
  error.file = name;
  return error;
}

}  // namespace elapid
