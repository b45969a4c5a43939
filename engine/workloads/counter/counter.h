// counter: single operations :add a number to one counter, and :read shows the sum.
//
//   {:type :ok, :f :add, :value 2}   {:type :ok, :f :read, :value 2}
//
// The counter is 0 at first. What is claimed of it depends:
//   - usually, that each read lies between what was surely added and what may have been
//     (counter_bounds.h), as Jepsen's checker of this name does;
//   - where some read is marked :final? true, that final reads show the sum of all adds
//     (final_sum.h), as Maelstrom's checkers of g-counter and pn-counter do;
//   - where linearizability or sequential consistency is asked for, that there is such an order of
//     the operations (engine/linearize/types/counter.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// A final read has a second operation, of kind kOther, with the value `:final?`.
[[nodiscard]] WorkloadRow counter_row();

}  // namespace elapid
