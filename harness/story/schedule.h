// An order of a small history's operations that people can follow easily.
//
// A history has at most the begins and ends of transactions, not the times of operations. The
// schedule is a possible order. It agrees with the order in each transaction, session order and
// real time, and then with as many rules as possible that make an execution easy to follow: a value
// is read after its writer committed; a write that a read did not see comes after the read; a
// version is written after its predecessor committed. The broken rules are the anomaly. For a lost
// update:
//
//   T1 begin, T1 reads x = 0, T2 begin, T2 reads x = 0, T1 writes x = 1, T1 commit, T2 writes ...
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// A begin, an operation or an end.
struct StoryMoment {
  enum class Kind : std::uint8_t { kBegin, kOp, kEnd };
  Kind kind = Kind::kBegin;
  TxnId txn = {};
  std::uint32_t mop = 0;  ///< kOp: in ops(txn)
  friend bool operator==(const StoryMoment&, const StoryMoment&) = default;
};

/// All moments of all transactions. A transaction that never completed has no end. `steps`:
/// dependencies of the evidence, besides those of reads. Deterministic. With more than 64
/// transactions, only the necessary order is kept.
[[nodiscard]] std::vector<StoryMoment> schedule(const History& history,
                                                const std::vector<Step>& steps);

}  // namespace elapid
