// From an operation on logs to the micro-operations that stand for it in a history (marks.h).
#pragma once

#include <string>

#include "engine/ir/call.h"

namespace elapid::kafka {

/// See DecodeCall (engine/workloads/table.h). Operations of other functions, as :crash, are kept
/// without their value.
[[nodiscard]] std::string decode(const Call& call, DecodedCall& out);

}  // namespace elapid::kafka
