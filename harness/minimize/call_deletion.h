// Deletes single operations from a draft, and their traces in the reads of a set or a counter.
//
//   add 1, add 2, read #{1 2}    without the first: add 2, read #{2}
//   add 1, add 2, read 3         of a counter, without the first: add 2, read 2
//
// An order of all operations, without the deleted ones, is an order of the rest. So if the rest
// violates a level, the whole does. For a counter this holds for reads that did not run
// concurrently with a deleted add.
#pragma once

#include "engine/ir/history.h"
#include "harness/minimize/draft.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// Whether the history consists of single adds and of reads that show everything added: a set that
/// is read whole, or a counter.
[[nodiscard]] bool shows_additions(const History& history);

[[nodiscard]] bool is_counter(const HistoryInfo& info);

/// Subtracts the adds of `whole` that `rest` lacks from a counter's reads. A read concurrent with
/// such an add is deleted, or is assumed to have seen it. O(n log n).
void forget_additions(const Draft& whole, Draft& rest, bool keeps_reads_beside);

/// How to write the events of a minimized history: as in the source, except for elements removed
/// from reads. `has_tuples`: the history is of an independent key, and the source has its values as
/// `[key value]`. `small` must outlive the result.
[[nodiscard]] EventDetailsFn details_of_small(const History& small, EventDetailsFn details,
                                              bool has_tuples = false);

}  // namespace elapid
