// The file of a state's final and late events, each exactly once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "adapter/watch/appended_file.h"
#include "engine/ir/result.h"

namespace elapid {

/// A restart repeats the events since the last checkpoint. Lines that the file already has are
/// skipped. From the first difference on, the file is written anew, because a power cut may have
/// left anything there.
class EventFile {
 public:
  /// A checkpoint's mark in the file: its first lines.
  struct Mark {
    std::uint64_t size = 0;  ///< bytes
    std::uint64_t sum = 0;   ///< checksum, line by line
  };

  /// Opens a file after a mark, or makes it if there is none. Error kUnreadable, also if the part
  /// before the mark has changed.
  static Result<EventFile> open(const std::string& path, const Mark& mark);

  /// Notes a line, with its newline. False if the file has it already.
  bool tell(std::string_view line);

  /// Writes the noted lines. Error kUnreadable.
  Status write();

  /// Removes lines of the file that were not noted again since it was opened. Error kUnreadable.
  Status drop_untold();

  /// Makes all written lines outlive a power cut. Error kUnreadable.
  Status sync() { return file_.sync(); }

  /// The mark after all noted lines, before and since opening.
  [[nodiscard]] const Mark& mark() const { return told_; }

 private:
  explicit EventFile(AppendedFile file) : file_(std::move(file)) {}

  Status read(const Mark& mark);

  AppendedFile file_;
  Mark told_;
  std::string known_;       // the file's part after the mark
  std::size_t passed_ = 0;  // bytes of it that were skipped
  std::string unwritten_;
};

}  // namespace elapid
