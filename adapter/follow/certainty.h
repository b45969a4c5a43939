// Decides whether a violation by a prefix of a history is one of the whole history.
//
// Suppose that the whole history satisfies the level: some order explains it. Remove from that
// order all transactions outside the prefix. The rest explains the prefix; transactions that it
// leaves open commit or not, as in the order. Session order and real time among the rest are the
// same. A transaction that read the latest of several versions reads the latest remaining one. So
// if no order explains the prefix, no order explains the whole.
//
// The argument fails if a read of the prefix saw a removed write. With real time no order has such
// a read, because the write was invoked after the reader completed. But an open transaction may
// turn out to have written something other than it invoked. And one that completes without an
// invocation may have begun at any time: a history without such a completion so far is trusted to
// have none. Without real time, values decide: if a
// transaction of the prefix wrote the value read, another one may write it again later; if none
// did, a later one may. The first case needs a history that repeats values. A history without a
// repetition so far is trusted never to repeat a value; if it does, what was certain by that is
// open again.
//
// Rows tell less. If a predicate or a key did not find a row, some transaction left the row so, but
// it is open which one. Without real time that may be a removed transaction: a delete that the
// order puts before the reader. With real time it cannot be. The part of the order up to the last
// transaction that completed in the prefix is whole. It explains the prefix if open transactions do
// what they invoked, or write nothing: clients of rows may stop early because of what they found.
// If all transactions so far did so, later ones are trusted to do so.
//
// The argument also fails at levels that allow reads of aborted writes. There, a read of an open
// transaction's write does not show that the transaction committed.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid {

/// The relevant facts about a prefix. All are false for one without operations.
struct PrefixFacts {
  bool has_rows = false;    ///< its operations are on rows of tables
  bool has_writes = false;  ///< if not, even the meaning of the operations is a guess
  /// Two operations write one value to one key. The initial value of a register is written already.
  bool repeats_values = false;
  /// Some transaction did not complete as it was invoked. For rows: some transaction wrote
  /// something other than it invoked, or may do so.
  bool changes_operations = false;
  bool reads_unwritten = false;      ///< a read saw a value that no transaction wrote
  bool unwritten_is_recent = false;  ///< and the writer may be a transaction that is still open
  bool has_event_order = false;      ///< its lines are events, in the order of their times
  bool lacks_invocations = false;    ///< and some transaction completed that was never invoked
};

/// Near linear in operations and in elements of the longest lists.
[[nodiscard]] PrefixFacts facts_of(const History& history);

/// Whether a certain violation of the level by a shorter prefix is still certain: the history has
/// done nothing since that it was trusted not to do.
[[nodiscard]] bool keeps_trust(Model level, const PrefixFacts& facts);

/// Whether every continuation violates the level, which the prefix violates.
[[nodiscard]] bool is_certain(Model level, const PrefixFacts& facts);

}  // namespace elapid
