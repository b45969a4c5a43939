// A small history that shows an anomaly, for `elapid explain`.
#pragma once

#include <optional>

#include "engine/levels/models.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {

/// A history of registers if one can show the anomaly, else of lists. Nothing for names that stand
/// for other anomalies or for the end of a search, and for anomalies that need timestamps, rows or
/// assumptions.
[[nodiscard]] std::optional<TinyHistory> example_of(AnomalyType type);

}  // namespace elapid
