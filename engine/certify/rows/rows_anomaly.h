// Re-checks Elle's anomalies of rows and predicates, from the operations alone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// The reason why the anomaly does not follow, in one sentence; nothing if it does. For rows that
/// are single values, under the assumption of Elle's closed-predicate test: the versions of a row
/// are in the order in which they were written. Linear in the history for each step.
[[nodiscard]] std::optional<std::string> check_rows_anomaly(
    const History& history, const Anomaly& anomaly, const std::function<bool()>& keep_going = {});

}  // namespace elapid
