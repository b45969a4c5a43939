// list-append: transactions append to lists and read them whole. What follows from such a history
// without search.
//
// A read of a list shows the order of all appends before it: from `[[:r :x [1 2]]]` follows that 1
// was appended to x before 2, so that the version order of x need not be guessed. After Elle
// (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB
// 2020, section 4). Sound where Elle guesses: see docs/elle.md.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The inference is near linear in operations, elements of longest lists, and edges.
[[nodiscard]] WorkloadRow list_append_row();

}  // namespace elapid
