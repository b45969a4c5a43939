// The transactions of a TimeKiller history, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/window.h"
#include "parsers/timekiller/timekiller_txn.h"
#include "parsers/timekiller/txn_scanner.h"

namespace elapid {

/// The part of the input before the place where reading begins.
enum class TxnsBefore : std::uint8_t {
  kNothing,
  kTransactions,  ///< transactions one after another
  kElements,      ///< the bracket of an array, and elements with their commas
};

/// Reads one array of objects, or objects one after another as in JSON lines. Memory is that of one
/// transaction.
class TxnStream {
 public:
  /// Reads the borrowed `source` from its current place, its first byte.
  explicit TxnStream(ByteSource& source) : TxnStream(source, 0, TxnsBefore::kNothing) {}

  /// Reads the borrowed `source` from its current place: `offset` bytes into the input.
  TxnStream(ByteSource& source, std::uint64_t offset, TxnsBefore before);

  /// Tells that the source is a piece, which may end after an element's comma.
  void end_behind_comma() { may_end_behind_comma_ = true; }

  /// Whether it ended after a comma.
  [[nodiscard]] bool ended_behind_comma() const { return ended_behind_comma_; }

  /// Steps to the next transaction. False at the end and after an error.
  bool next();

  /// The current transaction; valid until the next step.
  [[nodiscard]] const TimekillerTxn& txn() const { return txn_; }

  /// For an exchange with another object, whose memory is then used.
  [[nodiscard]] TimekillerTxn& txn() { return txn_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

  [[nodiscard]] bool has_byte_order_mark() const { return has_byte_order_mark_; }

  /// The bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return window_.offset(); }

 private:
  enum class Place : std::uint8_t { kStart, kInArray, kBehindComma, kInSequence, kEnd };

  char skip_space();
  bool begin();
  bool end_array();
  bool read_element();
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
  Place place_;
  bool may_end_behind_comma_ = false;
  bool ended_behind_comma_ = false;
  Status status_;
  bool has_byte_order_mark_ = false;
};

}  // namespace elapid
