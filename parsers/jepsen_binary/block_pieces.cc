#include "parsers/jepsen_binary/block_pieces.h"

#include <utility>

#include "parsers/jepsen/op_pieces.h"
#include "parsers/jepsen_binary/op_text_stream.h"

namespace elapid::jepsen_binary {

bool BlockCutter::next(BlockBytes& bytes) {
  if (std::exchange(has_ended_, true)) {  // no block follows until this one is available
    return false;
  }
  Result<std::optional<BlockOps::Leaf>> leaf = ops_.next_leaf();
  is_at_end_ = leaf && !leaf.value();
  if (!leaf || !leaf.value() || leaf.value()->block.size > most_bytes_) {
    return false;
  }
  bytes.leaf_ = *leaf.value();
  Result<std::string> text = ops_.bytes().read_at(bytes.offset(), bytes.leaf_.block.size);
  if (text) {
    bytes.text_ = std::move(text.value());
    has_ended_ = false;
  }
  return static_cast<bool>(text);
}

namespace {

/// A file with only one available block.
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
  parsed.ops.clear();
  piece.is_whole = false;
  BlockSource source(piece.bytes);
  BlockOps ops(BlockFile{FileBytes(source)}, {.offsets = {{kBlock, piece.bytes.offset()}}}, kBlock);
  OpTextStream stream(ops, *parsed.values, workload);
  while (stream.next()) {
    if (ops.is_tuple()) {
      return;
    }
    parsed.ops.add(stream.op(), workload);
  }
  piece.is_whole =
      stream.status().ok() && piece.bytes.size().value_or(stream.count()) == stream.count();
}

}  // namespace

Result<bool> read_block_pieces(BlockOps& ops, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress,
                               std::uint64_t most_bytes) {
  Status status;
  BlockCutter cutter(ops, most_bytes);
  const PiecesRead read = for_each_piece<BlockPiece>(
      cutter, options.threads, [workload](BlockPiece& piece) { parse_block(piece, workload); },
      [&](BlockPiece& piece) {
        translate_values(piece.parsed, assembler.values());
        if (!assembler.add(piece.parsed.ops).ok()) {
          return false;
        }
        status = progress.report(piece.bytes.offset());
        return status.ok();
      });
  return status.ok() ? Result<bool>(read.is_all) : Result<bool>(std::move(status.error()));
}

}  // namespace elapid::jepsen_binary
