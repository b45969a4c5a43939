// Re-checks one step of a cycle.
#pragma once

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/anomalies/index.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// Whether the operations of both ends, the order of versions and the order of events force this
/// edge. docs/elle-rules.md has the definitions.
[[nodiscard]] Flaw check_step(const Index& index, const Step& step);

}  // namespace elapid::certify
