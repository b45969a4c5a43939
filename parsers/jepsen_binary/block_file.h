// The container of a test.jepsen: a header, and blocks that an index names.
//
//   offset 0   JEPSEN
//          6   int32 version, 0 or 1
//         10   int64 offset of the current index
//         18   blocks
//
// A block has 28 bytes before its data: int64 length (these included), CRC-32 of data and header
// with its checksum zero, int16 type, zeros. Integers are big-endian. Blocks that no index names
// any more stay in the file. Source: jepsen.store.format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/ir/result.h"
#include "parsers/jepsen_binary/file_bytes.h"

namespace elapid::jepsen_binary {

inline constexpr std::string_view kMagic = "JEPSEN";
inline constexpr std::uint64_t kIndexOffset = 10;  ///< where the offset of the index is
inline constexpr std::uint64_t kFirstBlock = 18;   ///< offset of the first block
inline constexpr std::uint64_t kBlockHeader = 28;  ///< bytes before a block's data

// How many bytes a field has.
inline constexpr unsigned kVersionBytes = 4;
inline constexpr unsigned kOffsetBytes = 8;
inline constexpr unsigned kIdBytes = 4;
inline constexpr unsigned kChecksumBytes = 4;
inline constexpr unsigned kTypeBytes = 2;

enum class BlockType : std::int16_t {
  kIndex = 1,
  kFressian = 2,        ///< one object
  kPartialMap = 3,      ///< a map, and the block of the map that it is laid over
  kFressianStream = 4,  ///< objects behind one another
  kBigVector = 5,       ///< the blocks that a vector's elements are in
};

using BlockId = std::int32_t;

struct Block {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< its header included
  BlockType type = BlockType::kIndex;
  std::uint32_t checksum = 0;  ///< as stored
  BlockId id = 0;              ///< 0 if it was not found by its id

  [[nodiscard]] std::uint64_t data() const { return offset + kBlockHeader; }

  [[nodiscard]] std::uint64_t end() const { return offset + size; }
};

struct BlockIndex {
  Block block = {};
  BlockId root = 0;  ///< the test's block; 0: none
  std::unordered_map<BlockId, std::uint64_t> offsets = {};
};

/// Errors are kMalformed with byte offsets, or kUnreadable.
class BlockFile {
 public:
  explicit BlockFile(FileBytes bytes) : bytes_(bytes) {}

  /// Checks magic and version; the version.
  Result<std::int32_t> version();
  /// Of the current index. Error if there is none.
  Result<std::uint64_t> index_offset();

  /// The block that begins here: its header is read, and its last byte is there.
  Result<Block> block_at(std::uint64_t offset);
  /// Compares the checksum, which reads the whole block.
  Status verify(const Block& block);
  /// Both.
  Result<Block> whole_block_at(std::uint64_t offset);

  /// What lies behind a block: whole blocks, and perhaps one that was being written when the run
  /// ended, whose header is still zeros. Error for anything else.
  Status check_behind(const Block& block);

  Result<BlockIndex> index_at(std::uint64_t offset);
  /// As block_at().
  Result<Block> find(const BlockIndex& index, BlockId id);
  /// What stands behind a block's header. Only for blocks that are verified.
  Result<std::string> data(const Block& block);

  [[nodiscard]] FileBytes& bytes() { return bytes_; }

 private:
  FileBytes bytes_;
};

/// The checksum of a block, or of one whose first pieces have the checksum `before`.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

/// A signed big-endian integer at the front of `bytes`, which has as many.
[[nodiscard]] std::int64_t big_endian(std::string_view bytes);

/// For messages: `block 4`, `the block`.
[[nodiscard]] std::string name_of(const Block& block);

}  // namespace elapid::jepsen_binary
