// Answers a question by the solver, by saturation and by the search, for each level that an order
// of events defines.
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/levels/entailment.h"

namespace elapid {

/// Decides the strongest of the models demanded that an order of events defines: the others follow.
/// If each model asked is to be decided by itself, decides what `known` leaves open, as far as an
/// order of events defines it, until all that is demanded is settled: of a ladder the strongest of
/// all, weak ones, which cost little, then strong ones; else weak ones, then strong ones, the
/// nearest first. Assumptions about keys bind the order. `work` is asked before each.
[[nodiscard]] Answer answer_by_orders(const History& history, const CheckOptions& options,
                                      const Question& question, const KnownModels& known,
                                      Work& work);

}  // namespace elapid
