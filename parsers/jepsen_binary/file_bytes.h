// The bytes of a source at any place: Jepsen's files are read from their index, not from the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid::jepsen_binary {

class FileBytes {
 public:
  /// Borrows `source`. If bytes can be read again only after a first reading, the source is first
  /// read to its end.
  explicit FileBytes(ByteSource& source) : source_(&source) {}

  /// Reads from `offset` until `into` is full or the file ends.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into);
  /// The bytes as a string.
  Result<std::string> read_at(std::uint64_t offset, std::size_t size);

  /// Bytes of the file. Costs nothing, if the source knows its size.
  Result<std::uint64_t> size();

  [[nodiscard]] const std::string& name() const { return source_->name(); }

 private:
  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into);
  Status read_to_end();

  ByteSource* source_;
  bool is_read_ = false;    // the source was read to its end
  std::uint64_t size_ = 0;  // the size that this found
};

/// A part of a file, as a source of its own.
class FilePart : public ByteSource {
 public:
  static constexpr std::uint64_t kToTheEnd = std::numeric_limits<std::uint64_t>::max();

  FilePart(FileBytes bytes, std::uint64_t begin, std::uint64_t end)
      : ByteSource(bytes.name()), bytes_(bytes), begin_(begin), end_(end), next_(begin) {}

  Result<std::size_t> read(std::span<char> into) override;
  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override;
  Status rewind() override;

  [[nodiscard]] std::uint64_t total() const override { return 0; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_ - begin_; }

 private:
  FileBytes bytes_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t next_;
};

}  // namespace elapid::jepsen_binary
