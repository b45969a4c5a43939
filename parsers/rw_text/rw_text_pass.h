// One pass over text of one operation a line: from lines to transactions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/each_piece.h"
#include "parsers/bytes/pieces.h"
#include "parsers/bytes/sources.h"
#include "parsers/bytes/window.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"
#include "parsers/rw_text/rw_line.h"
#include "parsers/traces/id_numbers.h"
#include "parsers/traces/int_keys.h"
#include "parsers/traces/txn_collector.h"

namespace elapid {

/// The differences between the readers of this text.
struct RwTextRules {
  enum class InitialTxn : std::uint8_t {
    kNever,          ///< the first transaction is as any other
    kUnlessAborted,  ///< it may be the initial state if no transaction is -1
    kAlways,         ///< it may be the initial state
  };

  const Format* format = nullptr;
  bool negative_txns = true;  ///< transactions may be negative, and -1 holds aborted writes
  bool zero_writes = true;    ///< 0, the initial value, may be written as well
  InitialTxn initial_txn = InitialTxn::kUnlessAborted;
  FormatRules meaning = {};
};

/// The assumptions of a pass about its input, which may turn out wrong. The default costs
/// least.
struct RwTextPlan {
  bool is_scattered = false;  ///< the lines of some transaction are not contiguous
  bool has_aborted = false;   ///< some transaction is -1
};

/// Gives a transaction to the builder as soon as another begins. If the lines of transactions are
/// scattered, holds 12 bytes an operation until the end.
class RwTextPass {
 public:
  /// Borrows all arguments. Tests ask for small pieces.
  RwTextPass(ByteSource& source, const RwTextRules& rules, RwTextPlan plan,
             const ReadOptions& options, std::size_t piece_bytes = InputPiece::kBytes);

  /// Reads to the end of the source, or until the plan turns out to be wrong.
  Status read();

  /// Whether the pass came to the end. If not, this is the plan for the next pass.
  [[nodiscard]] bool plan_holds() const { return plan_holds_; }

  [[nodiscard]] RwTextPlan plan() const { return plan_; }

  /// After a pass to the end: the history.
  Result<History> finish(Sources& sources) &&;

 private:
  struct AbortedWrite {
    KeyId key;
    ValueId value;
    std::uint64_t offset = 0;
  };

  Status read_lines();
  Status read_lines(Window& window);
  PiecesRead read_pieces(PieceCutter& cutter, Status& status);
  [[nodiscard]] bool take_next(const RwLine& line, Status& status);
  [[nodiscard]] Status check(const RwLine& line) const;
  Status take(const RwLine& line);
  void take_aborted(const RwLine& line);
  Status turn_to(const RwLine& line);
  void begin(const RwLine& line);
  void note_other_session(const RwLine& line);
  Status close();
  void drop_open();
  Status add_aborted();
  [[nodiscard]] std::vector<std::string> assumptions() const;

  ByteSource& source_;
  const RwTextRules& rules_;
  const ReadOptions& options_;
  RwTextPlan plan_;
  bool plan_holds_ = true;
  std::size_t piece_bytes_;
  Window window_;            // if the input is not cut
  std::uint64_t bytes_ = 0;  // passed
  ReadProgress progress_;
  HistoryBuilder builder_;
  IntKeys keys_;
  IdNumbers numbers_;  // of transactions, in the order of their first lines

  std::optional<std::int64_t> open_id_;  // the transaction of the line before
  std::int64_t open_session_ = 0;
  SourcePosition open_position_;
  GrowingVector<MopInput> open_mops_;  // empty in a scattered text
  std::uint32_t open_number_ = 0;
  TxnCollector collector_;  // used for scattered text only

  std::vector<AbortedWrite> aborted_;
  std::optional<RwLine> first_aborted_read_;
  std::uint64_t aborted_reads_ = 0;
};

}  // namespace elapid
