// The transactions of a TimeKiller history, parsed in pieces by several threads and taken in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"
#include "parsers/options.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// The end of the reading of transactions.
struct TxnsRead {
  Status status = {};        ///< of the input
  Status wanted = {};        ///< the error of an interruption
  std::uint64_t offset = 0;  ///< bytes passed; if `take` returned false, up to that transaction
  bool has_byte_order_mark = false;
};

/// Passes all transactions to `take` in the order of the input, until it returns false. Requires
/// that the source is at its first byte. Tests ask for small pieces.
[[nodiscard]] TxnsRead for_each_txn(ByteSource& source, const ReadOptions& options,
                                    const std::function<bool(const TimekillerTxn&)>& take,
                                    std::size_t piece_bytes = InputPiece::kBytes);

}  // namespace elapid
