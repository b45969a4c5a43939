// Answers a question by the engine for forbidden cycles (engine/adya), for each level that a shape
// of cycles defines (engine/levels/cycle_levels.h).
#pragma once

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/levels/entailment.h"

namespace elapid {

/// Decides such levels if `known` leaves them open and they are demanded or entail a demanded
/// level. Cheap levels come first. Asks `work` before each.
[[nodiscard]] Answer answer_by_cycles(const History& history, const CheckOptions& options,
                                      const Question& question, const KnownModels& known,
                                      Work& work);

}  // namespace elapid
