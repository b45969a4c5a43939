// What one order of events explains, of all predictions: those that must do something else are the
// only ones that can violate the target.
//
//   order: 1 2 3, all write x, and 3 reads x
//   clause: 3 reads x from 1, and 2 is kept; or 3 reads x from 0, and 1 or 2 is kept; or ...
//
// A step of counterexample-guided refinement (Solar-Lezama, 2008; Janota and Marques-Silva, SAT
// 2011, for clauses with two players).
#pragma once

#include <vector>

#include "engine/predict/level_clauses.h"
#include "engine/predict/prediction_space.h"

namespace elapid::predict {

/// Each literal implies that the order does not explain the prediction; and if none holds, it does.
/// O(facts of a key squared).
[[nodiscard]] std::vector<Literal> not_explained_by(const Observation& observation,
                                                    const HappensBefore& happens_before,
                                                    Visibility level, const EventOrder& order,
                                                    PredictionSpace& space);

}  // namespace elapid::predict
