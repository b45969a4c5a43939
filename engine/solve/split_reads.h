// Read committed beside stronger levels, expressed by serializable transactions.
//
// Each read of a transaction at read committed sees a version that another transaction left, at any
// time before the commit, independently of the other reads. So the transaction equals several
// serializable ones: one for each read, and one for all writes, which comes after them.
//
// Example: T1, read committed, reads x = 1, then x = 2, and writes y. In place of it there are R1,
// which reads x = 1, R2, which reads x = 2, and T1, which writes y; R1 and R2 come before T1, in
// either order.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct SplitHistory {
  /// The transactions of the history under their numbers, and behind them the reads split off.
  History history;
  TxnLevels levels;  ///< of these; none is saturable
  /// The first of two transactions comes before the second.
  std::vector<std::pair<TxnId, TxnId>> orders = {};
};

/// Why it cannot be said what the levels together demand of the history; nothing if it can.
[[nodiscard]] std::optional<std::string> reason_to_leave_open(const History& history,
                                                              const TxnLevels& levels,
                                                              const Assumptions& assumptions);

/// Splits the reads off. Requires that there is no reason to leave it open. Linear.
[[nodiscard]] SplitHistory split_reads(const History& history, const TxnLevels& levels);

}  // namespace elapid
