// Answers a question by inference and the search for cycles.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"

namespace elapid {

/// Infers dependencies and, unless another engine was asked for, searches for cycles. What was
/// found rules models out; with total version orders all others that can be inferred hold.
[[nodiscard]] Answer answer_by_inference(const History& history, const CheckOptions& options,
                                         const Question& question, Work& work);

}  // namespace elapid
