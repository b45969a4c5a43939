// Histories to measure on, made up by a simulated database that is strictly serializable.
#pragma once

#include <cstdint>
#include <string>

#include "engine/ir/workload.h"

namespace elapid {

/// The text of an EDN history of `lines` events, half of them invocations: 20 processes, up to 7
/// operations a transaction, 80 keys at a time, each retired after 32 writes. The same text for the
/// same arguments. `workload` is list-append or rw-register.
[[nodiscard]] std::string sample_history(Workload workload, std::int64_t lines);

}  // namespace elapid
