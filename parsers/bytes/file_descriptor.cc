#include "parsers/bytes/file_descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

namespace elapid {

namespace {

std::atomic<int> ends_waits{-1};  // poll() passes over a negative one
std::atomic<ino_t> ends_waits_inode{0};

/// The descriptor that ends waits; -1 if a child process closed it, whatever has its number now.
int waits_end() {
  const int fd = ends_waits.load();
  struct stat info = {};
  return fd >= 0 && ::fstat(fd, &info) == 0 && info.st_ino == ends_waits_inode.load() ? fd : -1;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (is_open()) {
    ::close(fd_);
  }
}

FileDescriptor FileDescriptor::duplicate(int fd) {
  return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

Status FileDescriptor::wait(std::string_view name) const {
  std::array<pollfd, 2> inputs = {pollfd{.fd = fd_, .events = POLLIN, .revents = 0},
                                  pollfd{.fd = waits_end(), .events = POLLIN, .revents = 0}};
  while (::poll(inputs.data(), inputs.size(), -1) < 0 && errno == EINTR) {
  }
  return (inputs[1].revents & POLLIN) == 0 ? Status()
                                           : Error{.kind = ErrorKind::kUnreadable,
                                                   .message = "the reading was interrupted",
                                                   .file = std::string(name)};
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

void end_waits_by(int fd) {
  struct stat info = {};
  ends_waits_inode.store(fd >= 0 && ::fstat(fd, &info) == 0 ? info.st_ino : 0);
  ends_waits.store(fd);
}

Error system_error(std::string_view name, std::string_view what) {
  Error error;
  error.kind = ErrorKind::kUnreadable;
  error.message = std::string(what) + ": " + std::strerror(errno);
  error.file = name;
  return error;
}

}  // namespace elapid
