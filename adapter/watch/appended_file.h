// A file of lines that only grows, whole lines at a time, and survives a kill.
#ifndef ELAPID_ADAPTER_WATCH_APPENDED_FILE_H_
#define ELAPID_ADAPTER_WATCH_APPENDED_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class AppendedFile {
 public:
  /// Opens a file at its end, making it if there is none; an unfinished last line, which a kill has
  /// left, is cut off. Error kUnreadable.
  static Result<AppendedFile> open(const std::string& path);

  /// Writes whole lines at once: what the system has taken outlives the process. Error kUnreadable.
  Status append(std::string_view lines);

  /// The last line, without its newline; empty if there is none. Error kUnreadable.
  [[nodiscard]] Result<std::string> last_line() const;

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  AppendedFile(std::string path, FileDescriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  [[nodiscard]] Result<std::uint64_t> line_begin(std::uint64_t end) const;

  std::string path_;
  FileDescriptor fd_;
  std::uint64_t size_ = 0;
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_WATCH_APPENDED_FILE_H_
