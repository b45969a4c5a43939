// The blocks of a test.jepsen as pieces of an input: all threads verify and decode them.
//
// The joining thread finds the blocks with operations, and reads their bytes. Another thread takes
// a block as a file without other blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/each_piece.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen_binary/block_ops.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid::jepsen_binary {

/// The bytes of a block with operations.
class BlockBytes {
 public:
  /// Its place in the file.
  [[nodiscard]] std::uint64_t offset() const { return leaf_.block.offset; }

  [[nodiscard]] std::string_view text() const { return text_; }

  /// The number of operations that its vector claims.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return leaf_.size; }

 private:
  friend class BlockCutter;

  BlockOps::Leaf leaf_ = {};
  std::string text_ = {};
};

/// Makes pieces of the blocks of `ops`.
class BlockCutter {
 public:
  /// Large blocks, several of which would take much memory.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 25;

  /// Borrows `ops`, before its first operation is read. Tests ask for fewer bytes.
  explicit BlockCutter(BlockOps& ops, std::uint64_t most_bytes = kMostBytes)
      : ops_(ops), most_bytes_(most_bytes) {}

  /// The next block. False at the end, at a block of more than `most_bytes`, and at damage in the
  /// file; then false for ever.
  bool next(BlockBytes& bytes);

  /// Whether all blocks were returned.
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }

 private:
  BlockOps& ops_;
  std::uint64_t most_bytes_;
  bool has_ended_ = false;
  bool is_at_end_ = false;
};

/// Adds all operations. False if they must be read from the beginning, one by one, with a new
/// assembler: to find the error, or because values are tuples. Error: of the progress.
Result<bool> read_block_pieces(BlockOps& ops, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress,
                               std::uint64_t most_bytes = BlockCutter::kMostBytes);

}  // namespace elapid::jepsen_binary
