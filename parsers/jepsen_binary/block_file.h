// The container of a test.jepsen: a header, and blocks that an index names.
//
//   offset 0   JEPSEN
//          6   int32 version, 0 or 1
//         10   int64 offset of the current index
//         18   blocks
//
// A block has 28 bytes before its data: int64 length (with these 28), CRC-32 of data and header
// with its checksum zero, int16 type, zeros. Integers are big-endian. Blocks that no index names
// any more stay in the file. Source: jepsen.store.format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/ir/result.h"
#include "parsers/jepsen_binary/file_bytes.h"

namespace elapid::jepsen_binary {

inline constexpr std::string_view kMagic = "JEPSEN";
inline constexpr std::uint64_t kIndexOffset = 10;  ///< place of the index's offset
inline constexpr std::uint64_t kFirstBlock = 18;   ///< offset of the first block
inline constexpr std::uint64_t kBlockHeader = 28;  ///< bytes before a block's data

// Bytes of a field.
inline constexpr unsigned kVersionBytes = 4;
inline constexpr unsigned kOffsetBytes = 8;
inline constexpr unsigned kIdBytes = 4;
inline constexpr unsigned kChecksumBytes = 4;
inline constexpr unsigned kTypeBytes = 2;

enum class BlockType : std::int16_t {
  kIndex = 1,
  kFressian = 2,        ///< one object
  kPartialMap = 3,      ///< a map, and the block of the map below it
  kFressianStream = 4,  ///< objects one after another
  kBigVector = 5,       ///< the blocks of a vector's elements
};

using BlockId = std::int32_t;

struct Block {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< with its header
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

  /// Checks the magic bytes; returns the version.
  Result<std::int32_t> version();
  /// The offset of the current index. Error if there is none.
  Result<std::uint64_t> index_offset();

  /// The block that begins here. Reads its header, and checks that its last byte exists.
  Result<Block> block_at(std::uint64_t offset);
  /// Compares the checksum, which reads the whole block.
  Status verify(const Block& block);
  /// block_at() and verify().
  Result<Block> whole_block_at(std::uint64_t offset);

  /// Checks the part after a block: whole blocks, and perhaps an unfinished one with a header of
  /// zeros, because the run ended while it was written. Error for anything else.
  Status check_behind(const Block& block);

  Result<BlockIndex> index_at(std::uint64_t offset);
  /// As block_at().
  Result<Block> find(const BlockIndex& index, BlockId id);
  /// The data after a block's header. Only for verified blocks.
  Result<std::string> data(const Block& block);

  [[nodiscard]] FileBytes& bytes() { return bytes_; }

 private:
  FileBytes bytes_;
};

/// The checksum of a block, or of one whose earlier pieces have the checksum `before`.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

/// The signed big-endian integer that `bytes` are.
[[nodiscard]] std::int64_t big_endian(std::string_view bytes);

/// For messages: `block 4`, `the block`.
[[nodiscard]] std::string name_of(const Block& block);

}  // namespace elapid::jepsen_binary
