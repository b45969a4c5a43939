// multi-register: transactions that :read and :write several registers at one instant, as Knossos
// has them.
//
//   {:type :ok, :f :txn, :value [[:read :x 1] [:write :y 2]]}
//
// Judged for linearizability, which for transactions is strict serializability
// (engine/linearize/types/multi_register.h). A read of nil may have seen anything. What the
// registers hold at first is `--initial`; without it, whatever reads tell. The same operations are
// those of rw-register, whose levels are asked for with `-m rw-register`.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow multi_register_row();

}  // namespace elapid
