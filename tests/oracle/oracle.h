// Whether a history satisfies a level, by definition: all executions are tried.
//
// Shares nothing with the engines but the history and the names of the levels. Exponential: for up
// to 7 transactions.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Whether there is an execution of all committed transactions, any of the indeterminate ones, and
/// no aborted one, in which each read of each of them returns what it did. In an execution a
/// transaction starts, which is when it reads, and later commits, which is when it writes: at once
/// (kSerial), at any time after (kPrefix), or while no other writer of its keys is on its way
/// (kSnapshot; Cerone, Bernardi and Gotsman, CONCUR 2015). It does not start before all committed
/// ones that the level's orders put before it have committed; a recorded initial transaction is
/// before all others at every level. Reads of nil by indeterminate transactions are unknown.
///
/// Levels may differ by transaction: each starts and commits as its own level says, and is preceded
/// by what its own level puts before it. Beside the others a transaction may be at read committed
/// (kNothing): it only commits, and each of its reads shows some state of the key that there was
/// before. Such a transaction must not read what it wrote itself: what it would have to see is not
/// defined.
///
/// Assumptions about the keys of registers (Assumptions::sequential_keys, linearizable_keys,
/// transaction_order) restrict executions: of two operations on a key in the order of their session
/// or real time, the second must not read a version older than the first one's, and must write a
/// later one.
[[nodiscard]] bool holds(const History& history, const TxnLevels& levels,
                         const Assumptions& assumptions = {});

}  // namespace elapid
