// The check where each transaction is held to the level that it asked for (asked_levels.h).
#pragma once

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Decides whether one commit order lets each transaction read what its own level allows. If all
/// ask for one model, the verdict is that of the model. Error: kMalformed where a transaction has
/// no level or a word is none, kUsage for anomalies or an engine that are asked for beside, and for
/// workloads without transactions of lists, registers or sets; kInternal if evidence does not
/// survive certification.
Result<Verdict> check_by_transaction(const History& history, const CheckOptions& options);

}  // namespace elapid
