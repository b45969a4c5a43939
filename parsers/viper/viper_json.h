// Viper's JSON lines: a transaction a line.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/json/document.h"
#include "parsers/viper/viper_history.h"
#include "parsers/viper/viper_txn.h"

namespace elapid {

/// Reads lines such as `{"value": [["w", 1, 101, true], ["r", 2, 0, false]]}`, in one of two ways
/// (ViperTxn::is_of_rows). As registers: a read of a deleted row (isDead) is a read of its
/// tombstone. As rows: with all elements.
class ViperJsonReader {
 public:
  /// Borrows `history`, which has the keys and values.
  explicit ViperJsonReader(ViperHistory& history) : history_(history) {}

  /// Reads the line at byte `offset`. Error kMalformed with a byte offset: no object with a value,
  /// an operation other than r, w, i, d and range, or of a wrong length, a row outside of its
  /// range, a bound that is neither an integer nor "nil", a delete that did not succeed, an initial
  /// transaction with an operation that is no write.
  Status read(std::string_view line, std::uint64_t offset, ViperTxn& txn);

 private:
  Status read_mop(json::Value mop, ViperTxn& txn);
  Status read_write(json::Value mop, std::size_t size, ViperTxn& txn);
  Status read_delete(json::Value mop, std::size_t size, ViperTxn& txn);
  Status read_range(json::Value mop, ViperTxn& txn);
  static Status add_range(json::Value mop, ViperTxn& txn);
  Status read_row(json::Value row, bool is_dead, json::Value range, ViperTxn& txn);
  Status add(OpKind kind, json::Value key, json::Value value, ViperTxn& txn);
  Status add_op(ViperOp::Kind kind, json::Value mop, ViperTxn& txn);
  ValueId scalar(json::Value value);

  ViperHistory& history_;
  json::Document document_;
};

}  // namespace elapid
