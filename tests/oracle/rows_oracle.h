// Whether a history of rows and predicates satisfies a level, by definition: all executions are
// tried.
//
// Shares nothing with the engines but the history and the names of the levels; predicates are
// evaluated anew. Exponential: for up to 6 transactions and 4 rows.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid {

/// Whether there is an execution (see oracle.h: of all committed transactions, any of the
/// indeterminate ones, no aborted one) at kSerial or kSnapshot, in which each operation can be
/// carried out and finds what it did. In a history that is not closed, for some contents of the
/// rows at the beginning. Writers of the same row do not overlap at kSnapshot.
[[nodiscard]] bool rows_hold(const History& history, OrderLevel level);

/// Whether that is feasible: each of the rows of an open universe may have held anything.
[[nodiscard]] bool rows_can_be_tried(const History& history);

/// Adya's PL-2.99 without orders of sessions and real time: the same with serial executions in
/// which a predicate, for each row by itself, may concern any version that there was before, while
/// operations on one row concern the last one.
[[nodiscard]] bool rows_are_repeatable(const History& history);

/// Adya's PL-2: the same where reads of one row, too, may concern any version that there was
/// before. An operation that writes one row needs it alive or not where it comes.
[[nodiscard]] bool rows_are_read_committed(const History& history);

/// Read atomic (Cerone, Bernardi and Gotsman, CONCUR 2015): commits have one order, and what a
/// transaction reads is the state that some of the transactions before it, each as a whole, leave
/// in that order. An operation on one row that writes concerns the last version.
[[nodiscard]] bool rows_are_read_atomic(const History& history);

}  // namespace elapid
