// Whether a history of rows and predicates satisfies a level, by definition: all executions are
// tried.
//
// Shares nothing with the engines but the history and the names of the levels; predicates are
// evaluated anew. Exponential: for up to 6 transactions and 4 rows.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid {

/// Whether there is an execution (see oracle.h) at kSerial or kSnapshot in which each operation is
/// possible and has its recorded result. In an open universe, for some initial contents of the
/// rows. At kSnapshot writers of the same row do not overlap.
[[nodiscard]] bool rows_hold(const History& history, OrderLevel level);

/// Whether all initial contents of an open universe are few enough to try.
[[nodiscard]] bool rows_can_be_tried(const History& history);

/// Adya's PL-2.99 without session order and real time: serial executions in which a predicate may
/// read, for each row by itself, any earlier version. Operations on one row read the last one.
[[nodiscard]] bool rows_are_repeatable(const History& history);

/// Adya's PL-2: the same, but reads of one row may read any earlier version, too. An operation that
/// writes one row needs it alive or not at its place in the order.
[[nodiscard]] bool rows_are_read_committed(const History& history);

/// Read atomic (Cerone, Bernardi and Gotsman, CONCUR 2015): commits have one order, and what a
/// transaction reads is the state that some of the transactions before it, each as a whole, leave
/// in that order. An operation on one row that writes concerns the last version.
[[nodiscard]] bool rows_are_read_atomic(const History& history);

}  // namespace elapid
