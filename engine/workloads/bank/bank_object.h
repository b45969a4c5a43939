// A bank as one object: every transfer and every read takes effect at one instant.
//
//   transfer 5 from 0 to 1 |--|
//                               read {0 10, 1 10} |--|  read {0 15, 1 5} |--|
//   both totals are right, but no order explains the reads: the second one misses the transfer
//
// Sums do not reveal a stale read, or a transfer that is lost as a whole. The history does not
// contain the initial balances: they are the balances in one read, without earlier transfers and
// without some concurrent ones. So there are a few possible beginnings.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// Whether the history is strict serializable. No bank has to be; this adds to the check of sums.
/// Reads of other accounts than most are left out. model_sweep.h searches: at worst exponential
/// in the operations open at once. Unknown if the search needs more than the request's work, if
/// there are more than 100,000 operations, or if too many transfers overlap each of the first
/// reads.
[[nodiscard]] Result<Verdict> judge_bank_object(const History& history,
                                                const JudgeRequest& request);

}  // namespace elapid
