// One transaction of a stream that is checked while it grows, in any format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/ir/history.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// The characters that may separate the tokens of a stream.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// The object is reused from line to line.
struct StreamTxn {
  /// Offsets count from the start of the line. The texts of keys and values are canonical EDN, in
  /// which strings have quotes, so that "5" is not 5; those of ids and sids are as in the line. A
  /// null value counts as absent.
  TimekillerTxn txn = {};
  TxnStatus status = TxnStatus::kCommitted;    ///< results of reads are known only of kCommitted
  bool has_start = true;                       ///< if false, txn.start has no meaning
  bool has_commit = true;                      ///< if false, txn.commit has no meaning
  std::optional<std::int64_t> invoked = {};    ///< ns
  std::optional<std::int64_t> completed = {};  ///< ns
};

}  // namespace elapid
