// A file that grows by whole lines, whatever happens to this program.
//
// Even a program that is killed in the middle of a write (kill -9) leaves whole lines behind: a
// small process of its own outlives this one for a moment, and cuts off a line that was not
// finished, and removes a folder that the program would have removed. It ends by itself. While the
// file grows it is locked (flock), so that a reader of what is left of it can wait for the lock.
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
  /// Begins a new file. To be called before the program has threads: it forks. `scratch`, if there
  /// is one, is removed where the program dies before its time, and else left alone. Error
  /// kUnreadable: the file cannot be made, or is there already.
  static Result<GrowingFile> create(const std::string& path, const std::string& scratch = {});

  GrowingFile(GrowingFile&& other) noexcept = default;
  GrowingFile& operator=(GrowingFile&&) = delete;

  /// Writes what is left, and lets the guard go.
  ~GrowingFile();

  /// Adds lines, each with its newline. They are in the file with the next flush(), or before.
  void append(std::string_view lines) {
    buffer_ += lines;
    if (buffer_.size() >= kBufferBytes) {
      flush();
    }
  }

  /// Writes what is there. Where the disk is full, the file ends with its last whole line.
  void flush();

  /// The first failure, which stays; what is added after it goes nowhere.
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
