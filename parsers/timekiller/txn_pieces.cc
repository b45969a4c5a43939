#include "parsers/timekiller/txn_pieces.h"

#include <string_view>
#include <utility>
#include <vector>

#include "parsers/bytes/each_piece.h"
#include "parsers/read_progress.h"
#include "parsers/timekiller/txn_stream.h"

namespace elapid {

namespace {

/// The transactions of a piece.
struct TxnPiece {
  InputPiece bytes = {};
  std::vector<TimekillerTxn> txns = {};  // the first `count`; the others keep their memory
  std::size_t count = 0;
  bool has_byte_order_mark = false;
  bool is_whole = false;  // it has transactions and nothing else, and another piece can follow
};

/// The context of a piece in the input; `is_array` tells the input's form.
TxnsBefore before(std::uint64_t offset, bool is_array) {
  return offset == 0 ? TxnsBefore::kNothing
         : is_array  ? TxnsBefore::kElements
                     : TxnsBefore::kTransactions;
}

void parse_piece(TxnPiece& piece, bool is_array) {
  PieceSource source(piece.bytes);
  TxnStream stream(source, piece.bytes.offset(), before(piece.bytes.offset(), is_array));
  stream.end_behind_comma();
  piece.has_byte_order_mark = stream.has_byte_order_mark();
  for (piece.count = 0; stream.next(); ++piece.count) {
    if (piece.count == piece.txns.size()) {
      piece.txns.emplace_back();
    }
    std::swap(piece.txns[piece.count], stream.txn());
  }
  piece.is_whole =
      piece.count > 0 && stream.status().ok() && stream.ended_behind_comma() == is_array;
}

/// Whether the input is an array of transactions. Rewinds it.
bool begins_array(ByteSource& source) {
  char head[256];
  const Result<std::size_t> count = source.read(head);
  const std::string_view text(head, count ? count.value() : 0);
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  return source.rewind().ok() && first != std::string_view::npos && text[first] == '[';
}

}  // namespace

TxnsRead for_each_txn(ByteSource& source, const ReadOptions& options,
                      const std::function<bool(const TimekillerTxn&)>& take,
                      std::size_t piece_bytes) {
  TxnsRead read;
  ReadProgress progress(source, options);
  const bool is_cut = options.threads > 1 && is_worth_cutting(source, piece_bytes);
  const bool is_array = is_cut && begins_array(source);
  PieceCutter cutter(source, piece_bytes);
  PiecesRead pieces;
  bool is_stopped = false;
  std::uint64_t refused = 0;  // the place of the last transaction taken
  if (is_cut) {
    const auto join = [&](TxnPiece& piece) {
      read.has_byte_order_mark |= piece.has_byte_order_mark;
      for (std::size_t i = 0; i < piece.count && !is_stopped; ++i) {
        is_stopped = !take(piece.txns[i]);
        refused = piece.txns[i].offset;
      }
      read.wanted = progress.report(piece.bytes.offset() + piece.bytes.text().size());
      is_stopped |= !read.wanted.ok();
      return !is_stopped;
    };
    pieces = for_each_piece<TxnPiece>(
        cutter, options.threads, [is_array](TxnPiece& piece) { parse_piece(piece, is_array); },
        join);
    read.offset = is_stopped ? refused : pieces.offset;
  }
  // No piece can follow the one with the array's end, so that piece is read here.
  if (is_stopped || (pieces.is_all && !is_array)) {
    return read;
  }
  ResumedSource rest(source, cutter, pieces.offset);
  TxnStream stream(rest, pieces.offset, before(pieces.offset, is_array));
  read.has_byte_order_mark |= stream.has_byte_order_mark();
  while (stream.next()) {
    if (!take(stream.txn())) {
      read.offset = stream.txn().offset;
      return read;
    }
    if (read.wanted = progress.report(stream.offset()); !read.wanted.ok()) {
      return read;
    }
  }
  read.status = stream.status();
  read.offset = stream.offset();
  return read;
}

}  // namespace elapid
