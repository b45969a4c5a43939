// A history in pieces: the input is cut at ends of lines, and each piece is read as a history of
// its own by the reader of its format.
//
// If the completion of an invocation is in a later piece, the line of the invocation is put in
// front of the next piece, until it meets its completion. So each completed transaction is whole in
// one piece, and the last piece has those that never complete.
//
// Several ranks may each read a range of the input. Then some operations begin in one range and
// end in another. At the end, the lines of all these operations are read once more: they form one
// more piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/detect.h"
#include "parsers/options.h"
#include "parsers/partitions/line_range.h"
#include "parsers/partitions/peers.h"

namespace elapid {

/// The place of a piece's event in the whole history.
struct PlacedEvent {
  std::uint32_t number = 0;  ///< its EventId; from 0
  std::int64_t index = 0;
  std::optional<std::int64_t> time = {};
  std::uint64_t offset = 0;  ///< SourcePosition::offset
};

/// A line with an event whose invocation or completion is in another piece or range.
struct LooseLine {
  std::uint32_t number = 0;    ///< of the event
  std::int64_t session = 0;    ///< History::session_name()
  std::uint64_t in_piece = 0;  ///< its begin in the piece that it precedes
  std::uint64_t offset = 0;    ///< its place in the input
  std::string text = {};       ///< with its end
};

class Piece {
 public:
  [[nodiscard]] const History& history() const { return *history_; }

  [[nodiscard]] bool is_last() const { return is_last_; }

  /// Whether the transaction belongs to another piece: it ends in a later one, or began in the
  /// range of another rank.
  [[nodiscard]] bool is_carried(TxnId txn) const {
    return !is_last_ && !(history_->has_completion(txn) && history_->has_invocation(txn));
  }

  /// Requires that the event exists.
  [[nodiscard]] PlacedEvent event(TxnId txn, EventKind kind) const;
  /// The place in the whole input.
  [[nodiscard]] std::uint64_t place(std::uint64_t in_piece) const;
  /// The place of an event; nothing if an earlier piece has reported the event.
  [[nodiscard]] std::optional<std::uint64_t> offset(std::uint64_t in_piece) const;

 private:
  friend class PieceReader;

  std::shared_ptr<const History> history_;
  std::vector<LooseLine> carried_;
  std::uint64_t carried_bytes_ = 0;
  std::uint64_t begin_ = 0;         // in the input, after the carried lines
  std::uint32_t first_number_ = 0;  // of its first event
  bool is_indexed_ = true;
  bool is_last_ = false;
};

/// The error for independent keys, which are not read in pieces of one history.
inline constexpr std::string_view kSeveralHistories = "it is several histories";

/// The error for more events than there are numbers.
inline constexpr std::string_view kTooManyEvents = "it has 2^32 events or more";

/// Cuts an input at ends of lines, into pieces of about a given size.
class LineCutter {
 public:
  LineCutter(ByteSource& source, std::uint64_t piece_bytes)
      : source_(source), piece_bytes_(piece_bytes) {}

  /// The next lines; empty at the end.
  Result<std::string> next();

  /// Takes lines back, so that the next piece is larger.
  void put_back(const std::string& lines) {
    rest_.insert(0, lines);
    piece_bytes_ *= 2;
  }

  /// Bytes that were read, but not returned yet.
  [[nodiscard]] std::uint64_t rest() const { return rest_.size(); }

  [[nodiscard]] bool is_at_end() const { return is_at_end_ && rest_.empty(); }

 private:
  ByteSource& source_;
  std::uint64_t piece_bytes_;
  std::string rest_;
  bool is_at_end_ = false;
};

class PieceReader {
 public:
  /// Reads `source` from its first byte on, `piece_bytes` at a time.
  PieceReader(ByteSource& source, const ReadOptions& options, std::uint64_t piece_bytes)
      : source_(source), asked_(options), options_(options), lines_(source, piece_bytes) {}

  /// Reads a range of an input, from `source`. Another reader of the input's beginning has found
  /// the format.
  PieceReader(ByteSource& source, const PieceReader& beginning, const LineRange& range,
              std::uint64_t lines_before, std::uint64_t piece_bytes)
      : source_(source),
        asked_(beginning.asked_),
        options_(beginning.options_),
        lines_(source, piece_bytes),
        detection_(beginning.detection_),
        begin_(range.begin),
        events_(lines_before),
        is_range_(true),
        begins_inside_(range.begin > 0) {}

  /// The next piece; nothing at the end. An error means that the input cannot be read in pieces.
  /// The format's ordinary reader may read the input, or gives a better message.
  Result<std::optional<Piece>> next();

  /// The events of the range whose invocation or completion is outside it.
  [[nodiscard]] const std::vector<LooseLine>& loose_ends() const { return loose_; }

  [[nodiscard]] const std::vector<LooseLine>& loose_beginnings() const { return carried_; }

  /// The numbers of the range's first and last event, if they are known.
  struct Indices {
    bool is_known = false;
    bool is_indexed = false;
    bool has_any = false;
    std::int64_t first = 0;
    std::int64_t last = 0;

    /// Whether a range with these numbers may follow this one.
    [[nodiscard]] bool precedes(const Indices& next) const {
      const bool are_alike = !is_known || !next.is_known || is_indexed == next.is_indexed;
      return are_alike &&
             !(is_indexed && next.is_indexed && has_any && next.has_any && next.first <= last);
    }
  };

  [[nodiscard]] Indices indices() const;

  /// The last piece: the loose lines of all ranges, in the order of the input. `is_indexed`:
  /// whether some range has numbered events.
  Result<std::optional<Piece>> loose_piece(std::vector<LooseLine> lines, bool is_indexed);

  /// The format, known after the first piece.
  [[nodiscard]] const Detection& detection() const { return detection_; }

  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::uint64_t bytes() const { return begin_ + lines_.rest(); }

 private:
  Result<std::shared_ptr<const History>> read(std::string text);
  Status check(const Piece& piece, std::uint64_t lines);
  void carry(const Piece& piece, const std::string& text);
  [[nodiscard]] static LooseLine loose_line(const Piece& piece, TxnId txn, EventKind kind,
                                            const std::string& text);

  ByteSource& source_;
  ReadOptions asked_;
  ReadOptions options_;  // with the facts from the first piece
  LineCutter lines_;
  Detection detection_;
  std::uint64_t begin_ = 0;   // of the bytes that are in no piece yet
  std::uint64_t events_ = 0;  // of the pieces so far
  bool has_given_last_ = false;
  std::optional<bool> is_indexed_;
  std::optional<std::int64_t> first_index_;
  std::optional<std::int64_t> last_index_;
  std::vector<LooseLine> carried_;
  bool is_range_ = false;
  bool begins_inside_ = false;
  std::vector<LooseLine> loose_;  // completions of invocations before the range
};

}  // namespace elapid
