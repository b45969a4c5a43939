// The transactions of one log, a block at a time: syntax only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/window.h"
#include "parsers/cobra/log_record.h"

namespace elapid::cobra {

class LogScanner {
 public:
  /// Reads the borrowed `window` from its current place.
  LogScanner(Window& window, Layout layout) : window_(window), layout_(layout) {}

  /// Replaces the block by the next transactions, with some hundred operations. False if there are
  /// none: at the end, and after an error. Transactions before an error come first.
  bool next(LogBlock& block);

  /// The error that ends the log, at a byte offset: an unknown record, a record in the wrong place,
  /// or the end of the input inside a transaction.
  [[nodiscard]] const Status& status() const { return status_; }

  /// Whether the error is the end of the input.
  [[nodiscard]] bool has_run_out() const { return has_run_out_; }

 private:
  bool read_txn(LogBlock& block);
  bool start(TxnRecord& txn);
  bool read_op(const TxnRecord& txn, LogBlock& block);
  bool read_key_text(LogBlock& block, OpRecord& op);
  bool commit(TxnRecord& txn);
  bool has_times_in_range(const TxnRecord& txn);
  const char* record(std::size_t bytes);
  bool fail_at_end(std::uint64_t offset, const std::string& expected);
  bool fail_in_txn(const TxnRecord& txn);
  bool fail(std::uint64_t offset, std::string message);

  Window& window_;
  Layout layout_;
  Status status_;
  bool has_run_out_ = false;
};

/// The part of a log that find_layout() needs, if the log is that long.
inline constexpr std::size_t kLayoutTrialBytes = std::size_t{1} << 16;

/// The layout of a log with this head. There are times, unless the byte after the first id is
/// greater than the highest byte of a time can be (`has_times`: the answer, if known). Keys are
/// hashes, unless the log can be read further with keys as texts.
Layout find_layout(std::string_view head, std::optional<bool> has_times);

}  // namespace elapid::cobra
