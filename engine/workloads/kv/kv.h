// kv: single operations :get, :put, :append to, or :delete one key of a store.
//
//   {:type :ok, :f :append, :key "a", :value "x"}   {:type :ok, :f :get, :key "a", :value "x"}
//
// The key stands beside the value, or the values are tuples of jepsen.independent. Before its first
// put, and after a delete, a key has the initial value that the format or the user says, nil if
// none does; an append to nil is one to an empty text. Each key is judged for linearizability by
// itself (engine/linearize/types/kv.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow kv_row();

}  // namespace elapid
