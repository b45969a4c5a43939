// The workload kv: single operations on keys of a store. A format uses it, and its own row.
//
//   get, put, append and delete: engine/workloads/kv
#pragma once

#include <array>
#include <string_view>

#include "engine/ir/workload.h"

namespace elapid {

/// The field for a key that stands beside the value.
inline constexpr std::array<std::string_view, 1> kKvFields = {":key"};
inline constexpr WorkloadType kKvType = {
    .name = "kv", .has_transactions = false, .has_objects = true, .fields = kKvFields};
inline constexpr Workload kKvWorkload{kKvType};

}  // namespace elapid
