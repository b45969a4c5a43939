// Which models entail others in histories of a workload. For rows there are fewer implications than
// for items (entailment.h).
#pragma once

#include "engine/ir/workload.h"
#include "engine/levels/models.h"

namespace elapid {

/// The models that hold wherever `model` does in histories of the workload, itself included. For
/// rows, repeatable read is weaker than serializability, since it demands less of predicates (Adya
/// 1999, 4.2.2). It entails only read committed.
[[nodiscard]] ModelSet entailed(Model model, Workload workload);

/// The models that cannot hold if `model` does not, itself included.
[[nodiscard]] ModelSet entailing(Model model, Workload workload);

}  // namespace elapid
