// Weak levels beside stronger ones, expressed by serializable transactions.
//
// A read at a weak level sees a version that another transaction left, at any time before the
// commit, independently of the other reads; what more the level asks is an order of writers
// (mix_visibility.h). So the transaction equals several serializable ones: one for each read, and
// one for all writes, which comes after them. At cursor stability the reads of keys that it writes
// stay with the writes.
//
// Example: T1, read committed, reads x = 1, then x = 2, and writes y. In place of it there are R1,
// which reads x = 1, R2, which reads x = 2, and T1, which writes y; R1 and R2 come before T1, in
// either order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/mix_reads.h"
#include "engine/solve/mix_visibility.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct SplitHistory {
  /// The transactions of the history under their numbers, and behind them the reads split off.
  History history;
  TxnLevels levels;  ///< of these; none is saturable

  /// Whose the reads split off are, by number beyond the history's transactions.
  struct SplitRead {
    TxnId txn;
    std::uint32_t mop = 0;     ///< in ops() of the transaction
    std::uint32_t number = 0;  ///< among its reads of the key
  };

  std::vector<SplitRead> reads = {};
  std::vector<ValueId> values = {};  ///< of the history, by the integers that stand for them

  /// Where an operation stands in the history that was split.
  [[nodiscard]] std::uint32_t mop_of(TxnId txn, std::uint32_t mop) const;

  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> kept =
      {};  ///< places of operations
           ///< that stayed, of
           ///< split transactions
};

/// Why it cannot be said what the levels together demand of the history; nothing if it can.
[[nodiscard]] std::optional<std::string> reason_to_leave_open(const History& history,
                                                              const TxnLevels& levels,
                                                              const Assumptions& assumptions);

/// Splits the reads off. Requires that there is no reason to leave it open. Linear.
[[nodiscard]] SplitHistory split_reads(const History& history, const TxnLevels& levels,
                                       const MixReads& reads, const MixVisibility& visibility);

}  // namespace elapid
