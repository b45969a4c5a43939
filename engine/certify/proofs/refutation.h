// Re-checks, step by step, a proof that no execution is acceptable. Each step is a clause, "at
// least one of these choices holds". The check assumes that none holds; then the edges of the step
// must follow, and close a cycle. Later steps may use the clause. The last clause is empty: no
// execution is left.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the steps do not prove that the history violates the level, in one sentence;
/// nothing if they do.
///
/// For each step, all choices of its clause are assumed to be false. Unit propagation, as in RUP
/// proofs (Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF formulas",
/// DATE 2003), draws the consequences from earlier clauses and from the history (choices.h). Then
/// there is a contradiction, or the edges of the step's cycle hold and close a walk of events, each
/// of which leads to a later one. The last clause must be empty.
///
/// Trusts nothing in the proof. Near linear in proof and history; about 100 bytes an operation.
[[nodiscard]] std::optional<std::string> check_refutation(
    const History& history, OrderLevel level, const Refutation& refutation,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

}  // namespace elapid
