// `elapid scan --merge JOURNAL...`: the one table of all shares.
//
//   elapid scan --shard 1/2 --resume 1.journal runs   # on one machine
//   elapid scan --shard 2/2 --resume 2.journal runs   # on another one
//   elapid scan --merge 1.journal 2.journal           # what a scan of runs would print
//
// The journals say what was asked, which shares there are, and whether a share has ended.
#pragma once

#include "adapter/cli/commands/scan/scan_request.h"
#include "adapter/cli/options/check_request.h"
#include "engine/ir/result.h"

namespace elapid {

/// A scan whose rows are known, in the order of the paths, and which shares are missing. A history
/// that is in several journals has the row of the last one. Error: kUsage if the journals answer
/// different questions or divide the histories differently, or if the flags ask a question;
/// otherwise as of read_shard_journal().
[[nodiscard]] Result<Scan> merged_scan(const ScanFlags& flags, CheckRequest request);

}  // namespace elapid
