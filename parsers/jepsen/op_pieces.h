// Operations read in pieces by several threads, and joined in order.
//
// Each piece is parsed on its own, with a pool of values of its own. The thread that joins gives
// its values, in the order in which the piece has them, to the pool of the history: so every value
// gets the id that it would have got if the input were read from first to last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/each_piece.h"
#include "parsers/bytes/pieces.h"
#include "parsers/jepsen/known_lists.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/packed_ops.h"
#include "parsers/jepsen/single_op.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// Whether reading in pieces of so many bytes is worth while, and gives the same ids: where
/// operations are decoded while they are assembled, decoding makes values as well.
[[nodiscard]] bool may_be_cut(const ByteSource& source, std::size_t piece_bytes,
                              const ReadOptions& options, Workload workload);

/// The operations of a piece.
struct OpPiece {
  InputPiece bytes = {};
  std::optional<ValuePool> values = {};  ///< of the piece alone
  PackedOps ops = {};
  KnownLists lists = {};     ///< of this piece and of those before it in its place
  std::uint64_t passed = 0;  ///< as Stream::count()
  bool has_byte_order_mark = false;
  bool is_whole = false;  ///< there are some, and nothing else is in it
};

/// Whether the rest of a piece, behind `offset`, holds nothing.
[[nodiscard]] bool is_blank_behind(const InputPiece& piece, std::uint64_t offset);

/// Makes the values of the piece's operations those of another pool.
void translate_values(OpPiece& piece, ValuePool& to);

/// Gives a stream that knows lists those of another place, and that those of the stream.
template <class Stream>
void swap_lists(Stream& stream, KnownLists& lists) {
  if constexpr (requires { stream.known_lists(); }) {
    std::swap(stream.known_lists(), lists);
  }
}

/// Reads a piece's operations.
template <class Stream>
void parse_piece(OpPiece& piece, Workload workload) {
  piece.values.emplace();
  const OpFunctions same_as_assembler(*piece.values);  // few pools need to be translated then
  Stream stream(piece.bytes, *piece.values, workload);
  piece.lists.change_pool();
  swap_lists(stream, piece.lists);
  piece.has_byte_order_mark = stream.has_byte_order_mark();
  std::uint64_t end = stream.offset();
  piece.ops.clear();
  while (stream.next()) {
    piece.ops.add(stream.op(), workload);
    end = stream.offset();
  }
  swap_lists(stream, piece.lists);
  piece.passed = stream.count();
  piece.is_whole = !piece.ops.empty() && stream.status().ok() && is_blank_behind(piece.bytes, end);
}

inline void note_byte_order_mark(OpAssembler& assembler) {
  assembler.remark(Remark::Kind::kByteOrderMark, 0, "the input begins with a byte order mark");
}

/// Reads up to the first piece that is not whole; `count` becomes what the stream counts before
/// that. Error: of assembler and progress.
template <class Stream>
Result<PiecesRead> read_pieces(PieceCutter& cutter, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress,
                               std::uint64_t& count) {
  Status status;
  const auto join = [&](OpPiece& piece) {
    if (piece.has_byte_order_mark) {
      note_byte_order_mark(assembler);
    }
    translate_values(piece, assembler.values());
    status = assembler.add(piece.ops);
    if (!status.ok()) {
      return false;
    }
    count += piece.passed;
    status = progress.report(piece.bytes.offset() + piece.bytes.text().size());
    return status.ok();
  };
  const PiecesRead read = for_each_piece<OpPiece>(
      cutter, options.threads, [workload](OpPiece& piece) { parse_piece<Stream>(piece, workload); },
      join);
  return status.ok() ? Result<PiecesRead>(read) : Result<PiecesRead>(std::move(status.error()));
}

}  // namespace elapid
