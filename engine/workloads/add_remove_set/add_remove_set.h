// add-remove-set: single operations :add or :remove an element, or ask whether the set :contains
// it.
//
//   {:type :ok, :f :add, :value [1 true]}   {:type :ok, :f :contains, :value [1 true]}
//
// A value is an element and a result: whether the operation changed the set, or found the element.
// A result that is nil is not known. Each element is judged for linearizability by itself
// (engine/linearize/types/add_remove_set.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow add_remove_set_row();

}  // namespace elapid
