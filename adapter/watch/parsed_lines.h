// The lines of a stream. A thread reads and parses them ahead of the check.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/watch/intake.h"
#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "engine/online/atom.h"
#include "engine/online/online_txn.h"
#include "parsers/lines/line_source.h"
#include "parsers/stream/stream_line.h"
#include "parsers/stream/stream_pieces.h"

namespace elapid {

/// A transaction of the stream, a header, or an error.
struct ParsedLine {
  std::string_view line = {};  ///< of the batch, without its newline; empty after an error
  std::uint64_t number = 1;    ///< of the input's line in which it begins
  Result<StreamLine> kind = StreamLine::kBlank;
  /// Whether the error is an operation of another data model than earlier ones.
  bool is_misfit = false;
  OnlineTxn txn = {};                     ///< kTransaction
  RecorderHeader header = {};             ///< kHeader
  std::optional<Workload> workload = {};  ///< of the stream, as known after the line
  Atom initial = Atom::nil();             ///< the same, if there is a workload
};

/// Parses lines in their order.
class LineParser {
 public:
  /// Keeps a reference to `intake`. `header`: an earlier one, or empty. `follow`: see
  /// RecorderTxnReader.
  LineParser(Intake& intake, std::string_view header, std::string_view follow)
      : intake_(intake), reader_(follow) {
    (void)reader_.read(header, txn_);
  }

  /// Fills the rest of `parsed` from its line.
  void parse(ParsedLine& parsed);

 private:
  Intake& intake_;
  StreamLineReader reader_;
  StreamTxn txn_;
};

/// Lines that arrived together. The object is reused, because it is large.
class LineBatch {
 public:
  /// Replaces the old contents.
  void fill(const Lines& lines, StreamPieces& pieces, LineParser& parser);

  [[nodiscard]] std::span<ParsedLine> lines() { return std::span(lines_).first(count_); }

  /// The text as it arrived.
  [[nodiscard]] std::string_view text() const { return text_; }

  bool has_ended = false;
  std::optional<Error> error = {};         ///< of the source, or of reading it, instead of lines
  std::optional<std::string> notice = {};  ///< see LineSource::take_notice()
  AtomTable::Extent atoms = {};            ///< after its lines

 private:
  void take(StreamPiece piece, LineParser& parser);

  std::string text_;
  std::deque<std::string> joined_;  // of several lines
  std::vector<ParsedLine> lines_;
  std::size_t count_ = 0;
};

class ParsedLines {
 public:
  /// Keeps references to all arguments. From now on only this object reads the source and makes
  /// atoms. A source that is no socket may be one JSON array. `header` and `follow`: see
  /// LineParser.
  ParsedLines(LineSource& source, Intake& intake, const AtomTable& atoms, std::string header,
              std::string_view follow);

  /// The next batch; null if none comes in time. Valid until the next call. A batch that has ended,
  /// or that has an error other than kMalformed, is the last one.
  LineBatch* next(std::chrono::milliseconds patience);

 private:
  void run(const std::stop_token& stop);
  void end(Error error);

  static constexpr std::size_t kBatches = 3;  // one is used, one waits, one is filled

  LineSource& source_;
  Intake& intake_;
  const AtomTable& atoms_;
  std::string header_;
  std::string_view follow_;
  std::mutex mutex_;
  std::condition_variable_any has_changed_;
  std::deque<std::unique_ptr<LineBatch>> full_;
  std::deque<std::unique_ptr<LineBatch>> empty_;
  std::unique_ptr<LineBatch> current_;
  std::unique_ptr<LineBatch> broken_ = std::make_unique<LineBatch>();  // for the error of end()
  Thread thread_;  // the last member: it ends before the others
};

}  // namespace elapid
