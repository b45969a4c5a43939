// A socket that waits for clients.
#pragma once

#include <string>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class Listener {
 public:
  /// Whether `where` is an address for open(): it begins with `tcp:` or `unix:`.
  static bool is_address(const std::string& where);

  /// Listens at an address in the form of open_line_source(), with the same errors.
  static Result<Listener> open(const std::string& where);

  Listener(Listener&& other) noexcept
      : name_(std::move(other.name_)),
        path_(std::exchange(other.path_, {})),
        fd_(std::move(other.fd_)) {}

  Listener& operator=(Listener&&) = delete;
  ~Listener();

  /// The address, with the actual port.
  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] int get() const { return fd_.get(); }

  /// The next waiting client, without blocking; a closed descriptor if there is none. Error
  /// kUnreadable if the client cannot be accepted.
  [[nodiscard]] Result<FileDescriptor> accept() const;

 private:
  Listener(std::string name, std::string path, FileDescriptor fd)
      : name_(std::move(name)), path_(std::move(path)), fd_(std::move(fd)) {}

  static Result<Listener> open_unix(const std::string& where);
  static Result<Listener> open_tcp(const std::string& where);

  std::string name_;
  std::string path_;  // of the socket's file, if it has one
  FileDescriptor fd_;
};

}  // namespace elapid
