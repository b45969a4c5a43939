// unique-ids: single operations :generate an id each.
//
//   {:type :ok, :f :generate, :value 7}
//
// All ids that were given must differ: then the history is linearizable
// (engine/linearize/types/fetch_and_add.h). The result has the keys of Jepsen's checker, too
// (id_counts.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow unique_ids_row();

}  // namespace elapid
