// Re-checks a proof that no execution is acceptable, step by step. Each step is a clause, "at least
// one of these choices holds". The check assumes that none holds; then the edges of the step must
// follow, and close a cycle. The clause then joins what later steps may use. The last clause is
// empty: no execution is left.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why the steps do not prove that the history violates the level, in one sentence; nothing where
/// they do.
///
/// For each step, all choices of its clause are assumed to be false, and what follows from earlier
/// clauses and from the history (choices.h) is drawn by unit propagation, as in RUP proofs
/// (Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF formulas", DATE
/// 2003). Either that is a contradiction, or the edges of the step's cycle hold and close a walk of
/// events that lead from each to a later one. The last clause must be empty.
///
/// Trusts nothing in the proof. Near linear in proof and history; about 100 bytes an operation.
[[nodiscard]] std::optional<std::string> check_refutation(
    const History& history, OrderLevel level, const Refutation& refutation,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

}  // namespace elapid
