// Reads all logs of one history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"
#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/cobra/debug_log.h"
#include "parsers/cobra/log_record.h"
#include "parsers/cobra/txn_interpreter.h"
#include "parsers/options.h"
#include "parsers/traces/session_logs.h"

namespace elapid::cobra {

/// `1 write`, `2 writes`.
inline std::string plural(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

class HistoryReader {
 public:
  /// Borrows sources and options. Requires at least one log; all have about so many bytes. For a
  /// directory, the files of the logs and the .debug files are added to the sources.
  HistoryReader(Sources& sources, std::vector<SessionLog> logs, std::uint64_t bytes,
                const std::string& dialect, const ReadOptions& options);

  /// Reads all logs. Errors are complete.
  Status read();
  /// The history of all logs; callable once.
  Result<History> finish() &&;

 private:
  /// The current log, with the facts of its .debug file.
  struct CurrentLog {
    std::int64_t session = 0;
    std::uint16_t file = 0;
    std::uint16_t debug_file = 0;
    DebugLog debug = {};
    std::size_t next_fate = 0;  ///< transactions of `debug` before this one are done
  };

  Status read_log(const SessionLog& log);
  Status read_debug(const std::string& path, CurrentLog& current);
  Status read_txns(ByteSource& source, CurrentLog& current);
  Status add_block(const LogBlock& block, CurrentLog& current);
  Status add_txn(const TxnRecord& txn, std::span<const MopInput> mops, const CurrentLog& current);
  void set_times(const TxnRecord& txn, TxnInput& input);
  Status add_aborted_before(std::size_t place, CurrentLog& current);
  Status check_tail(CurrentLog& current, bool is_broken);
  Status end_log(Status broken, std::uint64_t txns_before, const CurrentLog& current);

  [[nodiscard]] bool salvages(const Error& error) const {
    return options_.salvage && error.kind == ErrorKind::kMalformed;
  }

  [[nodiscard]] Error located(std::uint16_t file, Error error) const;

  Status add_unrecorded_writers();
  Result<std::vector<UnrecordedWrite>> find_unrecorded();
  Status add_unrecorded(std::span<const UnrecordedWrite> writes, std::int64_t session);

  void assume(std::string sentence) { assumptions_.push_back(std::move(sentence)); }

  void assume_dialect();
  void assume_counts();

  Sources& sources_;
  const ReadOptions& options_;
  std::vector<SessionLog> logs_;
  std::vector<std::uint16_t> log_files_;  // numbers in sources_, by log
  std::optional<bool> asked_times_;
  std::optional<Layout> layout_;  // of the first non-empty log
  HistoryBuilder builder_;
  TxnInterpreter interpreter_;
  std::uint64_t txns_ = 0;  // from logs
  std::uint64_t bytes_ = 0;
  IntMap aborted_;  // ids from .debug files
  std::uint64_t tried_ = 0;
  std::uint64_t unrecorded_ = 0;
  std::int64_t first_time_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
  std::vector<std::string> assumptions_;
};

}  // namespace elapid::cobra
