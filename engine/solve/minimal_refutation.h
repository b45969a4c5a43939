// From a proof that no order exists to one that speaks of as little as possible.
#pragma once

#include <functional>

#include "engine/ir/history.h"
#include "engine/solve/problem.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Decides an excerpt.
using SolveExcerpt = std::function<SolveResult(const History&, const SolveOptions&)>;

/// Replaces the refutation in `result` by one of a minimal part of the history. Minimal means: take
/// away any transaction, read, write, or bond of session order or real time, and the rest satisfies
/// the level, or is refuted only by a weaker proof (one without a cycle, or with a cycle of a class
/// that rules out fewer levels).
///
/// Works by deletion, as minimal unsatisfiable cores are found (Marques-Silva, "Minimal
/// unsatisfiability: models, algorithms and applications", ISMVL 2010), from large parts to small
/// ones. Example: a proof names T1, T2 and T3, and T2 only ordered T1 before T3. Without T2 the
/// excerpt is refuted by real time from T1 to T3, so T2 goes.
///
/// Solves one excerpt for each deletion tried. For large proofs a fixed amount of work bounds how
/// many are tried. Lists with repeated elements remain as they are.
///
/// Returns true if an excerpt was refuted at the level of `options`. Then the new refutation is one
/// at this level, even if the one in `result` was at a stronger level.
bool minimize_refutation(const OrderProblem& problem, const SolveOptions& options,
                         const SolveExcerpt& solve, SolveResult& result);

}  // namespace elapid
