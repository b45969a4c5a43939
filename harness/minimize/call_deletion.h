// Deletes single operations from a draft, and what the reads of a set or of a counter show of them.
//
//   add 1, add 2, read #{1 2}    without the first: add 2, read #{2}
//   add 1, add 2, read 3         of a counter, without the first: add 2, read 2
//
// An order of all operations without those that are deleted is one of the rest. So what the rest
// violates the whole violates. Of a counter this holds for reads that did not run beside an add
// that is deleted.
#pragma once

#include "engine/ir/history.h"
#include "harness/minimize/draft.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// Whether the history is one of single adds, and of reads that show all that was added: a set that
/// is read whole, or a counter.
[[nodiscard]] bool shows_additions(const History& history);

[[nodiscard]] bool is_counter(const HistoryInfo& info);

/// Takes the adds that `rest` lacks of `whole` out of a counter's reads. A read that ran beside one
/// goes, or is taken for one that shows it. O(n log n).
void forget_additions(const Draft& whole, Draft& rest, bool keeps_reads_beside);

/// How events of a history that was made small are written: as the source has them, but for what
/// was taken out of reads. `has_tuples` if it is the history of an independent key, whose values
/// the source has as `[key value]`. `small` must outlive what is returned.
[[nodiscard]] EventDetailsFn details_of_small(const History& small, EventDetailsFn details,
                                              bool has_tuples = false);

}  // namespace elapid
