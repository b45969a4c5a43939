#include "parsers/jepsen_binary/block_pieces.h"

#include <utility>
#include <vector>

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

/// The texts of a block's operations, a line each, and their places in the file. False if one is no
/// map or has a tuple as its value, or if their number is wrong.
bool decode(const BlockBytes& bytes, std::string& text, std::vector<std::uint64_t>& places) {
  constexpr BlockId kBlock = 1;
  BlockSource source(bytes);
  BlockOps ops(BlockFile{FileBytes(source)}, {.offsets = {{kBlock, bytes.offset()}}}, kBlock);
  std::string op;
  Result<bool> more = ops.next(op);
  for (; more && more.value(); more = ops.next(op)) {
    if (ops.is_tuple() || !op.starts_with('{')) {
      return false;
    }
    text += op;
    text += '\n';
    places.push_back(ops.offset());
  }
  return more && bytes.size().value_or(places.size()) == places.size();
}

void parse_block(BlockPiece& piece, Workload workload) {
  OpPiece& parsed = piece.parsed;
  parsed.values.emplace();
  const OpFunctions same_as_assembler(*parsed.values);  // so that few pools need a translation
  std::string text;
  std::vector<std::uint64_t> places;
  parsed.ops.clear();
  piece.is_whole = decode(piece.bytes, text, places);
  if (!piece.is_whole) {
    return;
  }
  const auto source = memory_source({}, std::move(text));
  OpStream stream(*source, *parsed.values, workload);
  for (const std::uint64_t place : places) {
    if (!stream.next()) {
      piece.is_whole = false;
      return;
    }
    locate(stream.op(), place);
    parsed.ops.add(stream.op(), workload);
  }
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
