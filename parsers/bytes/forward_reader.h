// Bytes that can be read once, from first to last: of a descriptor, or of a
// decompressor.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

class ForwardReader {
 public:
  virtual ~ForwardReader() = default;
  ForwardReader(const ForwardReader&) = delete;
  ForwardReader& operator=(const ForwardReader&) = delete;

  /// Up to `into.size()` further bytes; 0 at the end.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// Bytes taken from the descriptor so far.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;

 protected:
  ForwardReader() = default;
};

/// The bytes `head`, which were already read from the descriptor, then the rest of the descriptor.
std::unique_ptr<ForwardReader> descriptor_reader(std::string name, FileDescriptor fd,
                                                 std::string head);

/// Decompresses gzip, also concatenated members (RFC 1952). Error kMalformed if the data is damaged
/// or ends early.
std::unique_ptr<ForwardReader> gzip_reader(std::string name,
                                           std::unique_ptr<ForwardReader> compressed);

/// Decompresses zstd, also concatenated frames (RFC 8878), with windows of up to 128 MiB. Error
/// kMalformed if the data is damaged or ends early.
std::unique_ptr<ForwardReader> zstd_reader(std::string name,
                                           std::unique_ptr<ForwardReader> compressed);

}  // namespace elapid
