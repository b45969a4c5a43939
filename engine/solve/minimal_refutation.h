// Makes a proof that no order exists as small as possible.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/ir/history.h"
#include "engine/solve/excerpt.h"
#include "engine/solve/problem.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Decides an excerpt.
using SolveExcerpt = std::function<SolveResult(const History&, const SolveOptions&)>;

/// The answer to an excerpt, within this work. Its refutation is one of the history, or is left out
/// if there is none in the history's terms.
[[nodiscard]] SolveResult solve_excerpt(const Excerpts& excerpts, const Excerpt& excerpt,
                                        const SolveOptions& options, std::uint64_t work,
                                        const SolveExcerpt& solve);

/// Replaces the refutation in `result` by one of a minimal part of the history. Minimal means:
/// without any one transaction, read, write, or bond of session order or real time, the rest
/// satisfies the level, or is refuted only by a weaker proof (one without a cycle, or with a cycle
/// of a class that rules out fewer levels).
///
/// Works by deletion, a method for minimal unsatisfiable cores (Marques-Silva, "Minimal
/// unsatisfiability: models, algorithms and applications", ISMVL 2010), from large parts to small
/// ones. Example: a proof names T1, T2 and T3, and T2 only orders T1 before T3. Without T2 the
/// excerpt is refuted by real time from T1 to T3, so T2 is deleted.
///
/// Solves one excerpt for each tried deletion. A fixed amount of work bounds the number of tries
/// for large proofs. Lists with repeated elements stay as they are.
///
/// Returns true if an excerpt was refuted at the level of `options`. Then the new refutation is at
/// this level, even if the one in `result` was at a stronger level.
bool minimize_refutation(const OrderProblem& problem, const SolveOptions& options,
                         const SolveExcerpt& solve, SolveResult& result);

}  // namespace elapid
