// Decides the saturable levels (models.h), soundly and completely: those in which a read sees what
// reads and sessions lead from, whatever the commit order.
#ifndef ELAPID_ENGINE_SATURATE_SATURATE_H_
#define ELAPID_ENGINE_SATURATE_SATURATE_H_

#include <optional>

#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Near linear where every read can have seen one write only (axioms.h for the exact bounds); else
/// the writers of the others are chosen by a search whose conflicts are the level's violations.
SolveResult saturate(const History& history, const SolveOptions& options);

/// A refutation of causal consistency, with session order if `options.level` has it, that holds
/// whomever reads of repeated values saw and whoever of the indeterminate transactions took effect:
/// one of `options.level`, too, if that is stronger. For registers. Nothing says nothing: it is not
/// looked for long, in time near linear in operations.
std::optional<Refutation> refute_causality(const History& history, const SolveOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SATURATE_SATURATE_H_
