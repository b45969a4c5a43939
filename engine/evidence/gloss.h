// What types of anomalies are: in a few words, and in sentences. One text for each, which `elapid
// explain`, reports and stories print.
#pragma once

#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// As `read skew, with real time`; empty where the type's name says it.
[[nodiscard]] std::string gloss(AnomalyType type);

/// The definition in plain sentences; never empty.
[[nodiscard]] std::string meaning(AnomalyType type);

}  // namespace elapid
