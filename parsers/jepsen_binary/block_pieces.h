// The blocks of a test.jepsen as pieces of an input: all threads verify and decode them.
//
// The blocks with operations are found by the thread that joins, which reads their bytes; a thread
// takes a block as a file in which nothing else is.
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
  /// Where it stands in the file.
  [[nodiscard]] std::uint64_t offset() const { return leaf_.block.offset; }

  [[nodiscard]] std::string_view text() const { return text_; }

  /// Operations that it is said to have.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return leaf_.size; }

 private:
  friend class BlockCutter;

  BlockOps::Leaf leaf_ = {};
  std::string text_ = {};
};

/// Makes pieces of the blocks of `ops`.
class BlockCutter {
 public:
  /// So large that several would take much memory.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 25;

  /// Borrows `ops`, of which no operation was read. Tests ask for fewer bytes.
  explicit BlockCutter(BlockOps& ops, std::uint64_t most_bytes = kMostBytes)
      : ops_(ops), most_bytes_(most_bytes) {}

  /// The next block. False at the end, at a block of more than `most_bytes`, and where the file is
  /// damaged; after that always.
  bool next(BlockBytes& bytes);

  /// Whether there was no more.
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }

 private:
  BlockOps& ops_;
  std::uint64_t most_bytes_;
  bool has_ended_ = false;
  bool is_at_end_ = false;
};

/// Adds all operations. False where that has to be done from the beginning, one by one, by an
/// assembler of its own: to tell what is wrong, or that values are tuples. Error: of the progress.
Result<bool> read_block_pieces(BlockOps& ops, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress,
                               std::uint64_t most_bytes = BlockCutter::kMostBytes);

}  // namespace elapid::jepsen_binary
