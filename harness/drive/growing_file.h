// A file that grows by whole lines, even if this program is killed.
//
// Even a program that is killed in the middle of a write (kill -9) leaves whole lines behind: a
// small guard process lives a moment longer, cuts off an unfinished line, and removes a folder that
// the program would have removed. Then it ends. While the file grows it is locked (flock), so that
// a reader of the remains can wait for the lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/process/guard.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class GrowingFile {
 public:
  /// Creates the file. Call it before the program has threads: it forks. `scratch`, if given, is
  /// removed if the program dies early; otherwise it is left alone. Error: kUnreadable if the file
  /// cannot be made or exists already.
  static Result<GrowingFile> create(const std::string& path, const std::string& scratch = {});

  GrowingFile(GrowingFile&& other) noexcept = default;
  GrowingFile& operator=(GrowingFile&&) = delete;

  /// Writes the rest, and ends the guard.
  ~GrowingFile();

  /// Adds lines, each with its newline. They are written at the next flush() at the latest.
  void append(std::string_view lines) {
    buffer_ += lines;
    if (buffer_.size() >= kBufferBytes) {
      flush();
    }
  }

  /// Writes everything added. If the disk is full, the file ends with its last whole line.
  void flush();

  /// The first failure. It stays; later lines are dropped.
  [[nodiscard]] const Status& status() const { return status_; }

  /// Bytes written.
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  GrowingFile(std::string path, FileDescriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  void take_back(std::uint64_t size);

  std::string path_;
  FileDescriptor fd_;
  std::optional<Guard> guard_ = {};
  std::string buffer_ = {};
  std::uint64_t size_ = 0;
  Status status_ = {};
};

}  // namespace elapid
