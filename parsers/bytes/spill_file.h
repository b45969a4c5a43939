// A temporary file without a name, for input of a pipe or a decompressor that must be read again,
// and for output that may go to a pipe only when it is whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class SpillFile {
 public:
  /// The file will be in this folder; empty: in $TMPDIR or /tmp.
  explicit SpillFile(std::string folder = {}) : folder_(std::move(folder)) {}

  /// Adds bytes at the end. The file is made by the first call. Error kUnreadable if that fails or
  /// the disk is full.
  Status append(std::span<const char> bytes);
  /// Overwrites bytes that were added before.
  Status overwrite(std::uint64_t offset, std::span<const char> bytes);
  /// Up to `into.size()` bytes from `offset`; fewer at the end.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const;

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  Status create();
  Status write_at(std::uint64_t offset, std::span<const char> bytes);

  FileDescriptor fd_;
  std::string folder_;
  std::uint64_t size_ = 0;
};

}  // namespace elapid
