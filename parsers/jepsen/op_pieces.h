// Reads operations in pieces by several threads, and joins them in order.
//
// Each piece is parsed on its own, with its own pool of values. The joining thread adds its values
// to the pool of the history, in the order of the piece. So every value gets the id that it would
// have if the input were read from first to last.
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

/// Whether reading in pieces of so many bytes is worth while, and gives the same ids. It does not
/// if operations are decoded while they are assembled, because decoding also makes values.
[[nodiscard]] bool may_be_cut(const ByteSource& source, std::size_t piece_bytes,
                              const ReadOptions& options, Workload workload);

/// The operations of a piece.
struct OpPiece {
  InputPiece bytes = {};
  std::optional<ValuePool> values = {};  ///< of the piece alone
  PackedOps ops = {};
  KnownLists lists = {};     ///< of this piece and of earlier pieces in this object
  std::uint64_t passed = 0;  ///< as Stream::count()
  bool has_byte_order_mark = false;
  bool is_whole = false;  ///< it contains operations, and nothing else
};

/// Whether the rest of a piece, after `offset`, is blank.
[[nodiscard]] bool is_blank_behind(const InputPiece& piece, std::uint64_t offset);

/// Translates the values of the piece's operations into another pool.
void translate_values(OpPiece& piece, ValuePool& to);

/// Swaps the lists of a stream that keeps some with `lists`.
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
  const OpFunctions same_as_assembler(*piece.values);  // then few pools need translation
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

/// Reads up to the first piece that is not whole; `count` becomes the stream's count before that.
/// Error: of assembler and progress.
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
