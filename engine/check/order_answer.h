// Answers a question by the solver, by saturation and by the search, for each level that an order
// of events defines.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/levels/entailment.h"

namespace elapid {

/// Decides the strongest demanded models that an order of events defines; the others follow. If
/// each asked model is decided by itself: decides the models that `known` leaves open and an order
/// of events defines, until all demanded models are settled. For a ladder: the strongest of all,
/// the weak models, which cost little, then the strong ones. Otherwise: weak models, then strong
/// ones, the nearest first. Assumptions about keys bind the order. Asks `work` before each.
[[nodiscard]] Answer answer_by_orders(const History& history, const CheckOptions& options,
                                      const Question& question, const KnownModels& known,
                                      Work& work);

}  // namespace elapid
