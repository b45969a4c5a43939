// The check in which each transaction has the level that it asked for (asked_levels.h).
#pragma once

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Decides whether one commit order lets each transaction read what its own level allows. If all
/// ask for one model, the verdict is that of the model. Error: kMalformed for a transaction without
/// a level or with a word that is none; kUsage if anomalies or an engine are asked for too, and for
/// workloads without transactions of lists, registers or sets; kInternal if evidence fails
/// certification.
Result<Verdict> check_by_transaction(const History& history, const CheckOptions& options);

}  // namespace elapid
