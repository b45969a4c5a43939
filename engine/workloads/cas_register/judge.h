// Judges histories of registers: each key is linearizable, or an operation shows that it is not.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// With `elle_compat` as Knossos does: a read of nil shows nothing, and failed cas are dropped.
/// Else nil is a value as any other where registers are nil at first, or nil is written. Error:
/// kMalformed for operations of another kind, kInternal as of verdict_of_objects().
/// With a claim, as verdict_of_objects() does.
[[nodiscard]] Result<Verdict> judge_registers(const History& history, const JudgeRequest& request,
                                              const LevelAnswer* claim = nullptr);

}  // namespace elapid
