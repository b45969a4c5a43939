// Output that is whole or absent: written beside its place under another name, and renamed there
// when it is finished.
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
/// failure is kept and told by commit(); what is written after it goes nowhere. Without commit()
/// the file is removed again.
class OutputFile {
 public:
  /// Begins a file that will be at `path`, replacing a regular file there. `-` is standard output;
  /// what exists and is neither file nor directory (a pipe, /dev/null) is written in place. Error
  /// kUnreadable if it cannot be made or is a directory.
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

  /// In decimal.
  template <std::integral Integer>
  OutputFile& operator<<(Integer n) {
    append_number(static_cast<std::int64_t>(n));
    return *this;
  }

  /// Whether something could not be written: what comes now is lost.
  [[nodiscard]] bool has_failed() const { return error_.has_value(); }

  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return flushed_ + buffer_.size(); }

  /// Makes overwrite() possible. Where the output is written in place, which may be a pipe, it is
  /// kept in a temporary file until commit(). To be called before anything is written.
  void allow_overwriting();

  /// Writes over bytes that were written before. Requires allow_overwriting().
  void overwrite(std::uint64_t offset, std::string_view bytes);

  /// Writes what is left, to the disk, and puts the file in its place.
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
  std::optional<SpillFile> held_ = {};  // what goes to the output in the end
  std::optional<Error> error_ = {};
};

/// A directory being made; likewise. What stands at its place must be an empty directory or
/// nothing: other people's files are never touched.
class OutputDirectory {
 public:
  /// Error kUnreadable if it cannot be made, kUsage if there is a directory with something in it.
  static Result<OutputDirectory> create(const std::string& path);
  OutputDirectory(OutputDirectory&& other) noexcept;
  OutputDirectory& operator=(OutputDirectory&&) = delete;
  ~OutputDirectory();

  /// Begins a file of this name in the directory; to be committed before the directory.
  [[nodiscard]] Result<OutputFile> file(std::string_view name) const;
  /// Puts the directory in its place.
  Status commit();

 private:
  OutputDirectory(std::string path, std::string unfinished)
      : path_(std::move(path)), unfinished_(std::move(unfinished)) {}

  std::string path_;
  std::string unfinished_;  // empty if done
};

/// Makes a symbolic link to `target`, in the place of another link if there is one. Error:
/// kUnreadable; what is there and is no link stays.
Status put_link(const std::string& target, const std::string& link);

}  // namespace elapid
