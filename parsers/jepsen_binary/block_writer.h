// Writes the container that block_file.h describes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/bytes/output.h"
#include "parsers/jepsen_binary/block_file.h"

namespace elapid::jepsen_binary {

/// Appends an integer as `size` big-endian bytes.
void append_big_endian(std::int64_t value, unsigned bytes, std::string& out);

/// Errors: those of the output.
class BlockWriter {
 public:
  /// Begins a file of this version. Keeps a reference to `out`. Requires an empty output that
  /// allows overwriting.
  BlockWriter(std::int32_t version, OutputFile& out);

  /// Adds a block; ids count from 1.
  BlockId add(BlockType type, std::string_view data);
  /// Adds the index, and writes its place into the header.
  void finish(BlockId root);

 private:
  void write(BlockType type, std::string_view data);

  OutputFile& out_;
  std::string index_;  // an entry a block
  BlockId last_id_ = 0;
};

}  // namespace elapid::jepsen_binary
