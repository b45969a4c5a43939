// Weak levels in a mix with stronger ones, expressed by serializable transactions.
//
// A read at a weak level sees a version that another transaction left, at any time before the
// commit, independently of the other reads. All other demands of the level are an order of writers
// (mix_visibility.h). So the transaction equals several serializable ones: one for each read, and
// one for all writes, after these. At cursor stability, reads of keys that it also writes stay with
// the writes.
//
// Example: T1, read committed, reads x = 1, then x = 2, and writes y. It becomes R1, which
// reads x = 1, R2, which reads x = 2, and T1, which writes y. R1 and R2 precede T1, in either
// order.
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
  /// The transactions of the history with their numbers, followed by the split-off reads.
  History history;
  TxnLevels levels;  ///< of the new transactions; none is saturable

  /// The transaction of a split-off read; by number minus the number of the history's transactions.
  struct SplitRead {
    TxnId txn;
    std::uint32_t mop = 0;     ///< in ops() of the transaction
    std::uint32_t number = 0;  ///< among the transaction's reads of the key
  };

  std::vector<SplitRead> reads = {};
  std::vector<ValueId> values = {};  ///< of the history, by the integers that replace them

  /// The place of an operation in the original history.
  [[nodiscard]] std::uint32_t mop_of(TxnId txn, std::uint32_t mop) const;

  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> kept =
      {};  ///< places of operations
           ///< that stayed, of
           ///< split transactions
};

/// The reason why the demands of the levels together are unknown for the history; else nothing.
[[nodiscard]] std::optional<std::string> reason_to_leave_open(const History& history,
                                                              const TxnLevels& levels,
                                                              const Assumptions& assumptions);

/// Splits off the reads. Requires that reason_to_leave_open() is nothing. Linear.
[[nodiscard]] SplitHistory split_reads(const History& history, const TxnLevels& levels,
                                       const MixReads& reads, const MixVisibility& visibility);

}  // namespace elapid
