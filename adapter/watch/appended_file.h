// A file of a state that grows at its end. It survives a kill, and after sync() a power cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class AppendedFile {
 public:
  /// Opens a file at its end. If there is none, makes it if `makes` is true. Error kUnreadable.
  static Result<AppendedFile> open(const std::string& path, bool makes = true);

  /// Writes at the end. The bytes then outlive the process. Error kUnreadable.
  Status append(std::string_view bytes);

  /// Overwrites existing bytes. Error kUnreadable.
  Status overwrite(std::uint64_t offset, std::string_view bytes);

  /// Cuts the file off. Error kUnreadable.
  Status truncate(std::uint64_t size);

  /// Makes all bytes so far outlive a power cut. Error kUnreadable.
  Status sync();

  /// Up to `size` bytes from `offset`; fewer only at the end. Error kUnreadable.
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

/// Cuts off the bytes after the last newline: an unfinished line, which a kill leaves. Error
/// kUnreadable.
Status drop_unfinished_line(AppendedFile& file);

/// Makes the list of a directory's files outlive a power cut. Error kUnreadable.
Status sync_directory(const std::string& path);

}  // namespace elapid
