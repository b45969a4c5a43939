// One step of a cycle, re-checked.
#pragma once

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/anomalies/index.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// Whether the operations of both ends, the order of versions and that of events force this edge.
/// The definitions are those of docs/elle-rules.md.
[[nodiscard]] Flaw check_step(const Index& index, const Step& step);

}  // namespace elapid::certify
