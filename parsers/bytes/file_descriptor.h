// An owned file descriptor.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// Closes its descriptor when destroyed. Any number from 0 on is a descriptor: if standard input is
/// closed, the next opened file gets 0.
class FileDescriptor {
 public:
  FileDescriptor() = default;

  explicit FileDescriptor(int fd) : fd_(fd) {}

  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~FileDescriptor();

  /// Another descriptor of the same file as `fd`; started programs do not inherit it. Not open if
  /// `fd` is not.
  [[nodiscard]] static FileDescriptor duplicate(int fd);

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

  [[nodiscard]] int get() const { return fd_; }

  /// Waits until there are bytes, or the end. Error kUnreadable as soon as waits are to end
  /// (end_waits_by()).
  Status wait(std::string_view name) const;
  /// Reads further bytes in order; 0 at the end. `name` is for the error.
  Result<std::size_t> read(std::span<char> into, std::string_view name) const;
  /// Reads from `offset` until `into` is full or the file ends; does not move the read position.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into,
                              std::string_view name) const;

 private:
  int fd_ = -1;
};

/// From now on FileDescriptor::wait() gives up once this descriptor is readable, as an eventfd that
/// the handler of a signal writes to.
void end_waits_by(int fd);

/// kUnreadable: `what` and the system's reason for the last failed call.
Error system_error(std::string_view name, std::string_view what);

}  // namespace elapid
