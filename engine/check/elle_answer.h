// The findings and inferences of Elle (engine/elle), quirks included, as the answer of an engine.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"

namespace elapid {

/// Proves nothing: Elle calls a history valid if it finds no violation. If Elle would throw,
/// `elle_error` has the exception.
[[nodiscard]] Answer answer_as_elle(const History& history, const CheckOptions& options,
                                    const Question& question, Work& work);

}  // namespace elapid
