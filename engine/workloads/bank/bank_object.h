// A bank as one object: every transfer and every read takes effect at one instant.
//
//   transfer 5 from 0 to 1 |--|
//                               read {0 10, 1 10} |--|  read {0 15, 1 5} |--|
//   the total is right in both, and no order explains them: the second read misses the transfer
//
// Sums tell nothing of a read that is stale, nor of a transfer that is lost as a whole. What the
// accounts hold at first is no part of the history: it is what one read shows, without the
// transfers before it and some of those beside it, so that there are a few such beginnings.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// Whether the history is strict serializable, which no bank has to be: what it adds to the sums.
/// Reads that do not show the same accounts as most do not count. Searched by model_sweep.h,
/// exponential at worst in the operations that are open at once; unknown where that takes more than
/// the request's work, of more than 100,000 operations, or where too many transfers overlap each of
/// the first reads.
[[nodiscard]] Result<Verdict> judge_bank_object(const History& history,
                                                const JudgeRequest& request);

}  // namespace elapid
