// The workload kv, single operations on keys of a store, which a format and its row know.
//
//   get, put, append and delete: engine/workloads/kv
#pragma once

#include "engine/ir/workload.h"

namespace elapid {

inline constexpr WorkloadType kKvType = {
    .name = "kv", .has_transactions = false, .has_objects = true};
inline constexpr Workload kKvWorkload{kKvType};

}  // namespace elapid
