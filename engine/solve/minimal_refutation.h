// From a proof that no order exists to one that speaks of as little as possible.
#ifndef ELAPID_ENGINE_SOLVE_MINIMAL_REFUTATION_H_
#define ELAPID_ENGINE_SOLVE_MINIMAL_REFUTATION_H_

#include <functional>

#include "engine/ir/history.h"
#include "engine/solve/problem.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Decides an excerpt.
using SolveExcerpt = std::function<SolveResult(const History&, const SolveOptions&)>;

/// Replaces the refutation in `result` by one of a minimal part of the history: without any one of
/// its transactions, of their reads and writes, or of the bonds of session order and real time
/// between them, what is left of it satisfies the level, or only a proof that tells less (not by a
/// cycle, or by one of a class that rules out fewer levels) shows that it does not. By deletion, as
/// minimal unsatisfiable cores are found (Marques-Silva, "Minimal unsatisfiability: models,
/// algorithms and applications", ISMVL 2010), from large parts to small ones.
///
/// Solves one excerpt for each thing that is tried; of large proofs as many as a fixed amount of
/// work allows. Lists with repeated elements remain as they are.
///
/// Whether an excerpt was refuted at the level of `options`: then the refutation is one at this
/// level, though that in `result` be one at a stronger level.
bool minimize_refutation(const OrderProblem& problem, const SolveOptions& options,
                         const SolveExcerpt& solve, SolveResult& result);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_MINIMAL_REFUTATION_H_
