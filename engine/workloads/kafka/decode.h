// From an operation on logs to its micro-operations in a history (marks.h).
#pragma once

#include <string>

#include "engine/ir/call.h"

namespace elapid::kafka {

/// See DecodeCall (engine/workloads/table.h). Operations of other functions, as :crash, lose their
/// value.
[[nodiscard]] std::string decode(const Call& call, DecodedCall& out);

}  // namespace elapid::kafka
