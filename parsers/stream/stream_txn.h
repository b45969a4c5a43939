// One transaction of a stream that is checked while it grows, whatever its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/ir/history.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// What may stand between the tokens of a stream.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// Reused from line to line.
struct StreamTxn {
  /// Offsets count from the start of the line. The texts of keys and values are canonical EDN, in
  /// which strings have quotes, so that "5" is not 5; those of ids and sids are as they stand.
  /// A value that is null is none.
  TimekillerTxn txn = {};
  TxnStatus status = TxnStatus::kCommitted;    ///< what was read is known of kCommitted alone
  bool has_start = true;                       ///< else txn.start means nothing
  bool has_commit = true;                      ///< else txn.commit means nothing
  std::optional<std::int64_t> invoked = {};    ///< ns
  std::optional<std::int64_t> completed = {};  ///< ns
};

}  // namespace elapid
