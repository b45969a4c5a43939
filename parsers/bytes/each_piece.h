// The loop of readers whose input is cut. Several threads parse pieces; the thread that parsed a
// piece also joins it, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "engine/ir/in_turn.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"

namespace elapid {

/// The part that was read in pieces: all, or the bytes before `offset`.
struct PiecesRead {
  std::uint64_t offset = 0;
  bool is_all = false;
};

/// Whether an input is long enough for more than one piece of that size, and no limit on lines is
/// so low that only pieces would notice it.
[[nodiscard]] inline bool is_worth_cutting(const ByteSource& source, std::size_t piece_bytes) {
  constexpr std::uint64_t kRoom = 8;  // readers of JSON take a part of the limit
  const bool is_short = source.total() > 0 && source.total() < 2 * piece_bytes;
  return !is_short && source.line_limit().bytes >= kRoom * piece_bytes;
}

/// Several threads at a time call `parse(Parsed&)` with pieces. They call `join(Parsed&)` with
/// the results in order, one thread at a time and not always the same; it returns whether to go
/// on. Parsed has `InputPiece bytes`, or the product of another Cutter, and `bool is_whole`,
/// which `parse` sets. The first piece that is not whole ends the loop; a false `join` also
/// ends it. A Cutter whose `next` has returned false returns false from then on: each thread
/// asks it.
template <class Parsed, class Cutter, class Join>
PiecesRead for_each_piece(Cutter& cutter, std::size_t threads, std::function<void(Parsed&)> parse,
                          Join join) {
  PiecesRead read = {.is_all = true};
  take_turns<Parsed>(
      threads, [&](Parsed& piece) { return cutter.next(piece.bytes); }, std::move(parse),
      [&](Parsed& piece) {
        read.is_all = false;
        if (!piece.is_whole) {
          return false;
        }
        read.offset = piece.bytes.offset() + piece.bytes.text().size();
        read.is_all = join(piece);
        return read.is_all;
      });
  read.is_all = read.is_all && cutter.is_at_end();
  return read;
}

}  // namespace elapid
