// Asks the engines about transactions in turn, and derives the verdict from their answers.
#pragma once

#include "engine/check/check.h"

namespace elapid {

/// As check(), for histories of transactions of reads, writes and appends. Requires that the
/// options are not refused.
[[nodiscard]] Result<Verdict> check_transactions(const History& history,
                                                 const CheckOptions& options);

}  // namespace elapid
