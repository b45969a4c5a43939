// Decides the saturable levels (models.h), soundly and completely: those in which a read sees what
// reads and sessions lead from, whatever the commit order.
#ifndef ELAPID_ENGINE_SATURATE_SATURATE_H_
#define ELAPID_ENGINE_SATURATE_SATURATE_H_

#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Near linear where every read can have seen one write only (axioms.h for the exact bounds); else
/// the writers of the others are chosen by a search whose conflicts are the level's violations.
SolveResult saturate(const History& history, const SolveOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SATURATE_SATURATE_H_
