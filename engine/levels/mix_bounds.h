// What the verdict on levels by transaction says of single levels of the whole history, and what
// these say of it.
//
// Example: transactions ask for serializability and for read committed. Both imply read committed,
// so if each transaction gets its level, the whole history is read committed; nothing follows of
// serializability. If some transaction does not get its level, the history is not serializable.
#pragma once

#include "engine/ir/workload.h"
#include "engine/levels/models.h"

namespace elapid {

/// The levels that each of `asked` implies: they hold if each transaction gets its level. None if
/// some transactions ask for read uncommitted and others do not: reads of the former may refute any
/// level, as the order of a list's versions, but do not count in the mix.
[[nodiscard]] ModelSet below_mix(ModelSet asked, Workload workload);

/// The levels that imply each of `asked`: if one holds, each transaction gets its level.
[[nodiscard]] ModelSet above_mix(ModelSet asked, Workload workload);

}  // namespace elapid
