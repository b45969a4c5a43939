// Sentences that say why the operations of a register are not linearizable.
#pragma once

#include "engine/ir/history.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/register_core.h"
#include "engine/linearize/register_judgement.h"
#include "engine/verdict/description.h"

namespace elapid {

/// Requires the answer kNotLinearizable. `core`: of a sweep, or empty. The actors are the
/// operations that show the flaw.
[[nodiscard]] Description describe_register(const History& history, const linearize::Object& object,
                                            const linearize::RegisterJudgement& judgement,
                                            const linearize::RegisterCore& core);

}  // namespace elapid
