// Input bytes through a moving window, from any input: file, pipe, gzip or zstd.
//
// The pages of the input never count as memory: a source reads into one buffer that grows only if a
// single token is larger than the buffer. Input that cannot be read twice (a pipe, compressed data)
// is spilled to an unlinked temporary file while it is read. So evidence can quote it later through
// reread().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// A line and column, both counted from 1; the column in bytes.
struct LineColumn {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// kMalformed at a byte of the input; ByteSource::located() completes it.
Error malformed_at(std::uint64_t offset, std::string message);

/// A limit on the memory of one line, or of a piece like a line.
struct LineLimit {
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::string_view words = {};  ///< the caller's name of the limit, for messages; empty: none

  /// The limit of something that is smaller than a line by this factor.
  [[nodiscard]] LineLimit divided_by(std::uint64_t factor) const { return {bytes / factor, words}; }
};

/// kMalformed for a line, a form or an object (`what`) that begins at a byte and is too long.
Error too_long_at(std::uint64_t offset, const std::string& what, const LineLimit& limit);

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads up to `into.size()` further bytes in order; 0 at the end of the input.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// Reads again from `offset` (decompressed bytes, already read once); fewer bytes at the end.
  /// Does not disturb read().
  virtual Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) = 0;
  /// Starts over from the first byte; the spilled bytes are kept.
  virtual Status rewind() = 0;
  /// Size in bytes for progress: compressed size, 0 if unknown; and the progress of read() in the
  /// same unit.
  [[nodiscard]] virtual std::uint64_t total() const = 0;
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;

  [[nodiscard]] const std::string& name() const { return name_; }

  /// The longest line that readers of this source accept.
  [[nodiscard]] const LineLimit& line_limit() const { return line_limit_; }

  void set_line_limit(const LineLimit& limit) { line_limit_ = limit; }

  /// The line and column of a byte, by counting newlines from the start: linear, meant for errors
  /// and evidence. Offsets in ascending order need one pass in all.
  LineColumn line_column(std::uint64_t offset);
  /// The error with this source's name and, if it has a byte offset, line and column.
  Error located(Error error);

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
  LineLimit line_limit_;
  std::uint64_t counted_to_ = 0;  // line_column has counted the newlines before this offset
  std::uint64_t newlines_ = 0;
  std::uint64_t line_start_ = 0;
};

/// Opens a regular file, or standard input for "-". gzip and zstd are recognised by their first
/// bytes. Error kUnreadable if it cannot be opened or is a directory.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

/// A source over bytes in memory, for tests and for pieces of other files.
std::unique_ptr<ByteSource> memory_source(std::string name, std::string bytes);

}  // namespace elapid
