// What Elle would find and infer (engine/elle), quirks included, as the answer of an engine.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"

namespace elapid {

/// Proves nothing: what was not found Elle calls valid. Where Elle would throw, `elle_error` says
/// what.
[[nodiscard]] Answer answer_as_elle(const History& history, const CheckOptions& options,
                                    const Question& question, Work& work);

}  // namespace elapid
