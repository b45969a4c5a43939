// rw-register: transactions write and read registers. What follows from such a history without
// search.
//
// Registers show less than lists: from `[[:r :x 2]]` follows who wrote what was read, and not which
// writes came before. Version orders come from the initial state, from a transaction's own reads
// and writes, and from assumptions that the user makes about keys. After Elle (namespace
// elle.rw-register), but sound where Elle guesses: see docs/elle.md.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The inference is near linear in operations, versions and edges.
[[nodiscard]] WorkloadRow rw_register_row();

}  // namespace elapid
