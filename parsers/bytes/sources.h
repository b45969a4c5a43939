// The files of one history, by SourcePosition::file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Files of a directory are opened on demand, and few stay open: a directory may have more files
/// than a process may open.
class Sources {
 public:
  /// A directory, whose files are added one by one.
  explicit Sources(std::string directory) : path_(std::move(directory)) {}

  /// A single input, which is file 0.
  explicit Sources(std::unique_ptr<ByteSource> source);

  /// The name of the single input, or the directory.
  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] bool is_directory() const { return is_directory_; }

  /// Adds a file and returns its number. Error kMalformed beyond 65,535 files.
  Result<std::uint16_t> add(std::string path);

  [[nodiscard]] std::size_t size() const { return files_.size(); }

  [[nodiscard]] const std::string& name(std::uint16_t file) const { return files_.at(file).name; }

  [[nodiscard]] std::vector<std::string> names() const;

  /// The file; at its first byte if it must be opened. Valid until kOpenFiles others were opened.
  /// Error kUnreadable.
  Result<ByteSource*> open(std::uint16_t file);

  /// ByteSource::set_line_limit() for all files.
  void set_line_limit(const LineLimit& limit);

  /// The error with the file's name and, if it has a byte offset, line and column.
  Error located(std::uint16_t file, Error error);

  static constexpr std::size_t kOpenFiles = 16;

 private:
  struct File {
    std::string name;
    std::unique_ptr<ByteSource> source;
  };

  std::string path_;
  bool is_directory_ = true;
  LineLimit line_limit_ = {};
  std::vector<File> files_;
  std::vector<std::uint16_t> open_;  // the latest last
};

/// The result of `read(ByteSource&)`, a Result, for file 0: for readers of one file.
template <class Read>
auto read_file(Sources& sources, Read read) -> decltype(read(std::declval<ByteSource&>())) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  return read(*source);
}

}  // namespace elapid
