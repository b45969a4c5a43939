// Whether a history satisfies a level, by definition: all executions are tried.
//
// Shares nothing with the engines but the history and the names of the levels. Exponential: for up
// to 7 transactions.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Whether there is an execution of all committed transactions, some indeterminate ones, and no
/// aborted one, in which each read returns its recorded result. A transaction reads at its start
/// and writes at its commit. It commits at once (kSerial), at any later time (kPrefix), or later
/// without another writer of its keys in flight (kSnapshot; Cerone, Bernardi and Gotsman, CONCUR
/// 2015). It starts after the commits of all committed transactions that the level's orders put
/// before it; a recorded initial transaction is before all others at every level. Reads of nil by
/// indeterminate transactions are unknown.
///
/// Levels may differ by transaction: each starts and commits by its own level, after the
/// transactions that its own level puts before it. A transaction may also be at read committed
/// (kNothing): it only commits, and each of its reads shows some earlier state of the key. It must
/// not read its own writes, since their result is not defined.
///
/// Assumptions about the keys of registers (Assumptions::sequential_keys, linearizable_keys,
/// transaction_order) restrict executions: of two operations on a key in the order of their session
/// or real time, the second must not read a version older than the first one's, and must write a
/// later one.
[[nodiscard]] bool holds(const History& history, const TxnLevels& levels,
                         const Assumptions& assumptions = {});

}  // namespace elapid
