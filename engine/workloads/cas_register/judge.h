// Judges histories of registers: each key is linearizable, or an operation shows that it is not.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// `elle_compat`: as Knossos: a read of nil shows nothing, and failed cas are dropped. Else nil is
/// a value like any other if registers are nil at first, or if nil is written. Errors: kMalformed
/// for operations of another kind; kInternal as verdict_of_objects(). A claim is treated as by
/// verdict_of_objects().
[[nodiscard]] Result<Verdict> judge_registers(const History& history, const JudgeRequest& request,
                                              const LevelAnswer* claim = nullptr);

}  // namespace elapid
