// Answers a question by inference and the search for cycles.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"

namespace elapid {

/// Infers dependencies and, unless the options name another engine, searches for cycles. The found
/// anomalies rule models out. With total version orders all other models that can be inferred hold.
[[nodiscard]] Answer answer_by_inference(const History& history, const CheckOptions& options,
                                         const Question& question, Work& work);

}  // namespace elapid
