// The transactions of a TimeKiller history, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/window.h"
#include "parsers/timekiller/timekiller_txn.h"
#include "parsers/timekiller/txn_scanner.h"

namespace elapid {

/// Takes one array of objects, or objects one after another as in JSON lines. Memory is that of one
/// transaction.
class TxnStream {
 public:
  /// Reads `source`, which is borrowed, from where it stands, its first byte.
  explicit TxnStream(ByteSource& source);

  /// Steps to the next transaction. False at the end and after an error.
  bool next();

  /// Valid until the next step.
  [[nodiscard]] const TimekillerTxn& txn() const { return txn_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

  [[nodiscard]] bool has_byte_order_mark() const { return has_byte_order_mark_; }

  /// Bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return window_.offset(); }

 private:
  enum class Place : std::uint8_t { kStart, kInArray, kInSequence, kEnd };

  char skip_space();
  bool begin();
  bool end_array();
  bool end();
  bool read();
  bool read_slowly();
  std::size_t measure();
  bool expected(const char* what);
  bool fail(Error error);

  Window window_;
  LineLimit limit_;  // of a transaction
  TxnScanner scanner_;
  TimekillerTxn txn_;
  Place place_ = Place::kStart;
  Status status_;
  bool has_byte_order_mark_ = false;
};

}  // namespace elapid
