// What the violation of a level by the beginning of a history says of the whole of it.
//
// Suppose that the whole history satisfies the level: some order explains it. Leave out of that
// order all transactions of which the beginning knows nothing. What remains explains the beginning,
// in which transactions without completion may have committed or not, as they did in the order: the
// orders of sessions and of real time among those that remain are the same, and a transaction that
// read the latest of several versions reads the latest of those that remain. So if no order
// explains the beginning, none explains the whole.
//
// That fails where a read of the beginning saw a write that is left out. With real time no order
// has such a read, since the write had not been invoked when the reader completed, which the order
// of events tells; but an unfinished transaction may turn out to have written something else than
// was invoked. Without real time, values tell: no transaction of the beginning wrote what was read,
// or one did, and another one might write the value again, which only a history that repeats values
// does. A history that has not repeated a value yet is trusted never to do so.
//
// Rows tell less. That a predicate or a key did not find a row says that some transaction left it
// so, not which, and without real time it may be one that is left out: a delete that the order puts
// before the reader. With real time that cannot be. What the order has up to the last transaction
// that completed in the beginning is there as a whole, and explains it, as long as unfinished
// transactions come to what they were invoked to do, or to no write: clients of rows may stop early
// because of what they found. A history in which none did otherwise yet is trusted never to.
//
// It also fails where a level allows reads of aborted writes: there, a read of an unfinished
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
