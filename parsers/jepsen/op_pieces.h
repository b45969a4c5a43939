// Operations read in pieces by several threads, and joined in order.
//
// Each piece is parsed on its own, with a pool of values of its own. The thread that joins gives
// its values, in the order in which the piece has them, to the pool of the history: so every value
// gets the id that it would have got if the input were read from first to last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/in_order.h"
#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/single_op.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// What was read in pieces: all, or the operations before `offset`.
struct PiecesRead {
  std::uint64_t offset = 0;  ///< the bytes read
  std::uint64_t count = 0;   ///< what the stream counts in them
  bool is_all = false;
};

/// Whether reading in pieces is worth while, and gives the same ids: where operations are decoded
/// while they are assembled, decoding makes values as well.
[[nodiscard]] bool may_be_cut(const ByteSource& source, const ReadOptions& options,
                              Workload workload);

/// The operations of a piece.
struct OpPiece {
  Piece bytes = {};
  std::optional<ValuePool> values = {};  ///< of the piece alone
  std::vector<OpMap> ops = {};           ///< the first `count`; the others keep their memory
  std::size_t count = 0;
  std::uint64_t passed = 0;  ///< as Stream::count()
  bool has_byte_order_mark = false;
  bool is_whole = false;  ///< there are some, and nothing else is in it
};

/// Whether the rest of a piece, behind `offset`, holds nothing.
[[nodiscard]] bool is_blank_behind(const Piece& piece, std::uint64_t offset);

/// Makes the values of the piece's operations those of another pool.
void translate_values(OpPiece& piece, ValuePool& to);

/// Reads a piece's operations.
template <class Stream>
void parse_piece(OpPiece& piece, Workload workload) {
  piece.values.emplace();
  const OpFunctions same_as_assembler(*piece.values);  // few pools need to be translated then
  Stream stream(piece.bytes, *piece.values, workload);
  piece.has_byte_order_mark = stream.has_byte_order_mark();
  std::uint64_t end = stream.offset();
  for (piece.count = 0;; ++piece.count) {
    if (piece.count == piece.ops.size()) {
      piece.ops.emplace_back();
    }
    if (!stream.next(piece.ops[piece.count])) {
      break;
    }
    end = stream.offset();
  }
  piece.passed = stream.count();
  piece.is_whole = piece.count > 0 && stream.status().ok() && is_blank_behind(piece.bytes, end);
}

inline void note_byte_order_mark(OpAssembler& assembler) {
  assembler.remark(Remark::Kind::kByteOrderMark, 0, "the input begins with a byte order mark");
}

/// Reads up to the first piece that is not whole. Error: of assembler and progress.
template <class Stream>
Result<PiecesRead> read_pieces(PieceCutter& cutter, const ReadOptions& options, Workload workload,
                               OpAssembler& assembler, ReadProgress& progress) {
  constexpr std::size_t kPiecesAThread = 4;
  PiecesRead read;
  InOrder<OpPiece> pieces(options.threads, kPiecesAThread * options.threads,
                          [&](OpPiece& piece) { parse_piece<Stream>(piece, workload); });
  while (true) {
    while (pieces.has_room() && cutter.next(pieces.fresh().bytes)) {
      pieces.give();
    }
    if (pieces.is_empty()) {
      read.is_all = cutter.is_at_end();
      return read;
    }
    OpPiece& piece = pieces.take();
    if (!piece.is_whole) {
      return read;
    }
    if (piece.has_byte_order_mark) {
      note_byte_order_mark(assembler);
    }
    translate_values(piece, assembler.values());
    for (std::size_t i = 0; i < piece.count; ++i) {
      if (Status status = assembler.add(piece.ops[i]); !status.ok()) {
        return std::move(status.error());
      }
    }
    read.count += piece.passed;
    read.offset = piece.bytes.offset() + piece.bytes.text().size();
    if (Status status = progress.report(read.offset); !status.ok()) {
      return std::move(status.error());
    }
    pieces.release();
  }
}

}  // namespace elapid
