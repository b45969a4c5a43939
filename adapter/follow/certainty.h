// Whether a violation by the beginning of a history is one of the whole history.
//
// Suppose that the whole history satisfies the level: some order explains it. Remove from that
// order all transactions that are not in the beginning. The rest explains the beginning; its
// transactions without completion committed or not, as in the order. Session order and real time
// among the rest are the same. A transaction that read the latest of several versions reads the
// latest of those that remain. So if no order explains the beginning, none explains the whole.
//
// This fails if a read of the beginning saw a write that is removed. With real time no order has
// such a read, since the write was invoked after the reader completed. But an unfinished
// transaction may turn out to have written something else than it invoked. Without real time,
// values tell: either no transaction of the beginning wrote the value read, or one did and another
// one may write it again. The latter takes a history that repeats values. A history that has not
// repeated a value yet is trusted never to do so.
//
// Rows tell less. A predicate or a key that did not find a row says that some transaction left it
// so, not which one. Without real time that may be one that is removed: a delete that the order
// puts before the reader. With real time it cannot be. The part of the order up to the last
// transaction that completed in the beginning is whole, and explains it, as long as unfinished
// transactions do what they were invoked to do, or write nothing: clients of rows may stop early
// because of what they found. A history whose transactions all did so is trusted to go on so.
//
// It also fails at levels that allow reads of aborted writes: there, a read of an unfinished
// transaction's write does not show that the transaction committed.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid {

/// What matters of the beginning of a history. All is false of one without operations.
struct PrefixFacts {
  bool has_rows = false;        ///< its operations are on rows of tables
  bool has_writes = false;      ///< else even what the operations mean is a guess
  bool repeats_values = false;  ///< two operations write one value to one key
  /// Some transaction did not complete as it was invoked; of rows, did not write as invoked though
  /// it wrote, or may do so.
  bool changes_operations = false;
  bool reads_unwritten = false;      ///< a read saw what no transaction wrote
  bool unwritten_is_recent = false;  ///< and may have done so from a transaction still unfinished
  bool has_event_order = false;      ///< its lines are events, in the order in which they happened
};

/// Near linear in operations and in elements of the longest lists.
[[nodiscard]] PrefixFacts facts_of(const History& history);

/// Whether the level, which the beginning violates, is violated by every continuation.
[[nodiscard]] bool is_certain(Model level, const PrefixFacts& facts);

}  // namespace elapid
