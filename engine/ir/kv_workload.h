// The workload kv, single operations on keys of a store, which a format and its row know.
//
//   get, put, append and delete: engine/workloads/kv
#pragma once

#include <array>
#include <string_view>

#include "engine/ir/workload.h"

namespace elapid {

/// The key may stand beside the value.
inline constexpr std::array<std::string_view, 1> kKvFields = {":key"};
inline constexpr WorkloadType kKvType = {
    .name = "kv", .has_transactions = false, .has_objects = true, .fields = kKvFields};
inline constexpr Workload kKvWorkload{kKvType};

}  // namespace elapid
