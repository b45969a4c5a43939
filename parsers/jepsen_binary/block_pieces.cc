#include "parsers/jepsen_binary/block_pieces.h"

#include <utility>

#include "parsers/jepsen/op_pieces.h"
#include "parsers/jepsen_binary/op_text_stream.h"

namespace elapid::jepsen_binary {

bool BlockCutter::next(BlockBytes& bytes) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 25;
  Result<std::optional<BlockOps::Leaf>> leaf = ops_.next_leaf();
  is_at_end_ = leaf && !leaf.value();
  if (!leaf || !leaf.value() || leaf.value()->block.size > kMostBytes) {
    return false;
  }
  bytes.leaf_ = *leaf.value();
  Result<std::string> text = ops_.bytes().read_at(bytes.offset(), bytes.leaf_.block.size);
  if (text) {
    bytes.text_ = std::move(text.value());
  }
  return static_cast<bool>(text);
}

namespace {

/// A file of which one block is there.
class BlockSource : public ByteSource {
 public:
  explicit BlockSource(const BlockBytes& bytes) : ByteSource({}), bytes_(bytes) {}

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const bool is_there = offset >= bytes_.offset() && offset < total();
    return is_there ? bytes_.text().copy(into.data(), into.size(), offset - bytes_.offset()) : 0;
  }

  Result<std::size_t> read(std::span<char> /*into*/) override { return std::size_t{0}; }

  Status rewind() override { return {}; }

  [[nodiscard]] std::uint64_t total() const override {
    return bytes_.offset() + bytes_.text().size();
  }

  [[nodiscard]] std::uint64_t consumed() const override { return 0; }

 private:
  const BlockBytes& bytes_;
};

struct BlockPiece {
  BlockBytes bytes = {};
  OpPiece parsed = {};
  bool is_whole = false;  ///< all that it is said to have is there, and no value is a tuple
};

void parse_block(BlockPiece& piece, Workload workload) {
  constexpr BlockId kBlock = 1;
  OpPiece& parsed = piece.parsed;
  parsed.values.emplace();
  const OpFunctions same_as_assembler(*parsed.values);  // few pools need to be translated then
  BlockSource source(piece.bytes);
  BlockOps ops(BlockFile{FileBytes(source)}, {.offsets = {{kBlock, piece.bytes.offset()}}}, kBlock);
  OpTextStream stream(ops, *parsed.values, workload);
  bool has_tuples = false;
  for (parsed.count = 0;; ++parsed.count) {
    if (parsed.count == parsed.ops.size()) {
      parsed.ops.emplace_back();
    }
    if (!stream.next(parsed.ops[parsed.count])) {
      break;
    }
    has_tuples |= ops.is_tuple();
  }
  piece.is_whole = !has_tuples && stream.status().ok() &&
                   piece.bytes.size().value_or(parsed.count) == parsed.count;
}

}  // namespace

Result<bool> read_block_pieces(BlockOps& ops, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress) {
  Status status;
  BlockCutter cutter(ops);
  const PiecesRead read = for_each_piece<BlockPiece>(
      cutter, options.threads, [workload](BlockPiece& piece) { parse_block(piece, workload); },
      [&](BlockPiece& piece) {
        translate_values(piece.parsed, assembler.values());
        for (std::size_t i = 0; i < piece.parsed.count; ++i) {
          if (!assembler.add(piece.parsed.ops[i]).ok()) {
            return false;
          }
        }
        status = progress.report(piece.bytes.offset());
        return status.ok();
      });
  return status.ok() ? Result<bool>(read.is_all) : Result<bool>(std::move(status.error()));
}

}  // namespace elapid::jepsen_binary
