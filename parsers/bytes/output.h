// Output that is whole or absent: written under another name beside its place, and renamed when it
// is finished.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"
#include "parsers/bytes/spill_file.h"

namespace elapid {

/// A file being written, through a buffer; once committed it outlives a power cut. The first
/// failure is kept and returned by commit(); later writes do nothing. Without commit() the file is
/// removed.
class OutputFile {
 public:
  /// Begins a file at `path`, which replaces a regular file there. `-` is standard output; an
  /// existing path that is neither file nor directory (a pipe, /dev/null) is written in place.
  /// Error kUnreadable if the file cannot be made, or if the path is a directory.
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  OutputFile& operator<<(std::string_view text) {
    if (buffer_.size() + text.size() > kBufferBytes) {
      flush();
    }
    buffer_.append(text);
    return *this;
  }

  OutputFile& operator<<(char c) { return *this << std::string_view(&c, 1); }

  /// Writes the number in decimal.
  template <std::integral Integer>
  OutputFile& operator<<(Integer n) {
    append_number(static_cast<std::int64_t>(n));
    return *this;
  }

  /// Whether a write has failed: further writes are lost.
  [[nodiscard]] bool has_failed() const { return error_.has_value(); }

  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return flushed_ + buffer_.size(); }

  /// Makes overwrite() possible. Output that is written in place, perhaps to a pipe, is kept in a
  /// temporary file until commit(). Must be called before the first write.
  void allow_overwriting();

  /// Overwrites bytes that were written before. Requires allow_overwriting().
  void overwrite(std::uint64_t offset, std::string_view bytes);

  /// Writes the rest, to the disk, and renames the file to its place.
  Status commit();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  OutputFile(std::string path, std::string unfinished, FileDescriptor fd);
  void append_number(std::int64_t n);
  void flush();
  void write_all(std::string_view bytes, std::optional<std::uint64_t> offset);
  void write_held(std::string_view bytes, std::optional<std::uint64_t> offset);
  void release_held();

  std::string path_;
  std::string unfinished_;  // the name while it is written; empty if in place, or done
  FileDescriptor fd_;
  std::string buffer_;
  std::uint64_t flushed_ = 0;
  std::optional<SpillFile> held_ = {};  // the bytes until commit()
  std::optional<Error> error_ = {};
};

/// A directory being made; whole or absent. Its place must be empty, or have an empty directory:
/// foreign files are never touched.
class OutputDirectory {
 public:
  /// Error kUnreadable if it cannot be made, kUsage if there is a directory with something in it.
  static Result<OutputDirectory> create(const std::string& path);
  OutputDirectory(OutputDirectory&& other) noexcept;
  OutputDirectory& operator=(OutputDirectory&&) = delete;
  ~OutputDirectory();

  /// Begins a file of this name in the directory, which must be committed before the directory.
  [[nodiscard]] Result<OutputFile> file(std::string_view name) const;
  /// Renames the directory to its place.
  Status commit();

 private:
  OutputDirectory(std::string path, std::string unfinished)
      : path_(std::move(path)), unfinished_(std::move(unfinished)) {}

  std::string path_;
  std::string unfinished_;  // empty if done
};

/// Makes a symbolic link to `target`, which replaces an old link. Error: kUnreadable; a path that
/// is no link stays.
Status put_link(const std::string& target, const std::string& link);

}  // namespace elapid
