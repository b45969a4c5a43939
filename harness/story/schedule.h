// An order of the operations of a small history in which people can follow it.
//
// A history says when transactions began and ended, if that, and not when each operation happened.
// The schedule is one that could have been: it keeps each transaction's own order, session order
// and real time, and then as many as it can of what makes an execution easy to follow: a value is
// read after its writer has committed, a write that a read did not see comes after that read, and a
// version is written after its predecessor has committed. What does not fit is what the anomaly is
// about. For a lost update:
//
//   T1 begin, T1 reads x = 0, T2 begin, T2 reads x = 0, T1 writes x = 1, T1 commit, T2 writes ...
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// A beginning, an operation or an end.
struct StoryMoment {
  enum class Kind : std::uint8_t { kBegin, kOp, kEnd };
  Kind kind = Kind::kBegin;
  TxnId txn = {};
  std::uint32_t mop = 0;  ///< kOp: in ops(txn)
  friend bool operator==(const StoryMoment&, const StoryMoment&) = default;
};

/// All moments of all transactions; one that was never completed has no end. `steps`: dependencies
/// that evidence tells, beside those that reads do. Deterministic. Above 64 transactions only what
/// must be is kept.
[[nodiscard]] std::vector<StoryMoment> schedule(const History& history,
                                                const std::vector<Step>& steps);

}  // namespace elapid
