// Elle's text of its cycle files, in Elle's words: a format of its own.
#pragma once

#include <span>
#include <string>

#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// For each cycle `G1c #0`, `Let:`, the operations in full, `Then:` and the steps; two empty lines
/// between cycles, no newline at the end. Requires that all evidence is CycleEvidence.
[[nodiscard]] std::string elle_cycles_text(const History& history,
                                           std::span<const Anomaly> anomalies,
                                           const EventFieldsFn& fields);

}  // namespace elapid
