// A file of a state that grows at its end, and survives a kill and, once synced, a power cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class AppendedFile {
 public:
  /// Opens a file at its end, making it if there is none and `makes` says so. Error kUnreadable.
  static Result<AppendedFile> open(const std::string& path, bool makes = true);

  /// Writes at the end: what the system has taken outlives the process. Error kUnreadable.
  Status append(std::string_view bytes);

  /// Writes over what is there. Error kUnreadable.
  Status overwrite(std::uint64_t offset, std::string_view bytes);

  /// Cuts the file off. Error kUnreadable.
  Status truncate(std::uint64_t size);

  /// Makes everything so far outlive a power cut. Error kUnreadable.
  Status sync();

  /// The bytes from `offset`, up to `size` of them if there are so many. Error kUnreadable.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  AppendedFile(std::string path, FileDescriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  FileDescriptor fd_;
  std::uint64_t size_ = 0;
  bool is_synced_ = false;
};

/// Cuts off what stands behind the last newline: a line that a kill has left unfinished. Error
/// kUnreadable.
Status drop_unfinished_line(AppendedFile& file);

/// Makes outlive a power cut which files a directory has. Error kUnreadable.
Status sync_directory(const std::string& path);

}  // namespace elapid
