// What follows from what in histories of a workload: of rows less does than where all operations
// are on items (entailment.h).
#pragma once

#include "engine/ir/workload.h"
#include "engine/levels/models.h"

namespace elapid {

/// The models that hold wherever `model` does in histories of the workload, itself included. Of
/// rows repeatable read is weaker than serializability, since it asks less of predicates (Adya
/// 1999, 4.2.2): only read committed follows from it.
[[nodiscard]] ModelSet entailed(Model model, Workload workload);

/// The models that cannot hold where `model` does not, itself included.
[[nodiscard]] ModelSet entailing(Model model, Workload workload);

}  // namespace elapid
