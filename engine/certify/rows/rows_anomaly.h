// Re-checks Elle's anomalies of rows and predicates, from the operations alone.
#pragma once

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// Why the anomaly does not follow, in one sentence; nothing where it does. Of rows that are single
/// values, under the assumption of Elle's closed-predicate test: the order in which a row was
/// written is that of its versions. Linear in the history for each step.
[[nodiscard]] std::optional<std::string> check_rows_anomaly(const History& history,
                                                            const Anomaly& anomaly);

}  // namespace elapid
