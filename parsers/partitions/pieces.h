// A history in pieces: the input is cut at ends of lines, and each piece is read as a history of
// its own by the reader of its format.
//
// An invocation whose completion is in a later piece is carried: its line is put in front of the
// next piece. So each transaction that completes is whole in one piece, and those that never
// complete are in the last one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/detect.h"
#include "parsers/options.h"

namespace elapid {

/// Where an event of a piece stands in the whole.
struct PlacedEvent {
  std::uint32_t number = 0;  ///< its EventId; from 0
  std::int64_t index = 0;
  std::optional<std::int64_t> time = {};
  std::uint64_t offset = 0;  ///< SourcePosition::offset
};

class Piece {
 public:
  [[nodiscard]] const History& history() const { return *history_; }

  [[nodiscard]] bool is_last() const { return is_last_; }

  /// Whether the transaction goes on in a later piece, so that it is none of this one.
  [[nodiscard]] bool is_carried(TxnId txn) const {
    return !is_last_ && !history_->has_completion(txn);
  }

  /// Requires that the event is there.
  [[nodiscard]] PlacedEvent event(TxnId txn, EventKind kind) const;
  /// The place in the whole input; nothing for what a piece before has said already.
  [[nodiscard]] std::optional<std::uint64_t> offset(std::uint64_t in_piece) const;

 private:
  friend class PieceReader;

  /// An event of a line in front of the piece.
  struct Carried {
    std::uint32_t number = 0;
    std::uint64_t in_piece = 0;  // where its line begins
    std::uint64_t offset = 0;    // where that is in the input
    std::string line;            // with its end
  };

  [[nodiscard]] std::uint64_t place(std::uint64_t in_piece) const;

  std::shared_ptr<const History> history_;
  std::vector<Carried> carried_;
  std::uint64_t carried_bytes_ = 0;
  std::uint64_t begin_ = 0;         // in the input, of what follows the carried lines
  std::uint32_t first_number_ = 0;  // of its first event
  bool is_indexed_ = true;
  bool is_last_ = false;
};

class PieceReader {
 public:
  /// Reads `source` from its first byte on, so many bytes at a time.
  PieceReader(ByteSource& source, const ReadOptions& options, std::uint64_t piece_bytes)
      : source_(source), asked_(options), options_(options), piece_bytes_(piece_bytes) {}

  /// The next piece; nothing at the end. An error means that the input cannot be read in pieces:
  /// the same format's reader of the whole says what is wrong, or reads it all the same.
  Result<std::optional<Piece>> next();

  /// The format, once there was a piece.
  [[nodiscard]] const Detection& detection() const { return detection_; }

  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::uint64_t bytes() const { return begin_ + rest_.size(); }

 private:
  Result<std::string> take_lines();
  Result<std::shared_ptr<const History>> read(std::string text);
  Status check(const Piece& piece, std::uint64_t lines);
  void carry(const Piece& piece, const std::string& text);

  ByteSource& source_;
  ReadOptions asked_;
  ReadOptions options_;  // and what the first piece has told
  std::uint64_t piece_bytes_;
  Detection detection_;
  std::string rest_;          // read, and in no piece yet
  std::uint64_t begin_ = 0;   // of the rest
  std::uint64_t events_ = 0;  // of the pieces so far
  bool is_at_end_ = false;
  bool has_given_last_ = false;
  std::optional<bool> is_indexed_;
  std::optional<std::int64_t> last_index_;
  std::vector<Piece::Carried> carried_;
};

}  // namespace elapid
