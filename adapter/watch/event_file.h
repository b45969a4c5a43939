// The file of a state's final and late events, each exactly once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "adapter/watch/appended_file.h"
#include "engine/ir/result.h"

namespace elapid {

/// A restart brings about again what was told since the last checkpoint. What the file has of it
/// already is passed over; from the first difference on, the file is written anew, for a power cut
/// may have left anything there.
class EventFile {
 public:
  /// What a checkpoint says of the file: its first lines.
  struct Mark {
    std::uint64_t size = 0;  ///< bytes
    std::uint64_t sum = 0;   ///< checksum, line by line
  };

  /// Opens a file behind a mark, making it if there is none. Error kUnreadable, also if what is
  /// before the mark has changed.
  static Result<EventFile> open(const std::string& path, const Mark& mark);

  /// Tells a line, with its newline. False if the file has it already.
  bool tell(std::string_view line);

  /// Writes what was told. Error kUnreadable.
  Status write();

  /// Forgets lines of the file that were not told again since it was opened. Error kUnreadable.
  Status drop_untold();

  /// Makes all that was written outlive a power cut. Error kUnreadable.
  Status sync() { return file_.sync(); }

  /// What was told, before and since.
  [[nodiscard]] const Mark& mark() const { return told_; }

 private:
  explicit EventFile(AppendedFile file) : file_(std::move(file)) {}

  Status read(const Mark& mark);

  AppendedFile file_;
  Mark told_;
  std::string known_;       // what the file has behind the mark
  std::size_t passed_ = 0;  // of that
  std::string unwritten_;
};

}  // namespace elapid
