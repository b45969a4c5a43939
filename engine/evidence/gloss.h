// The meaning of anomaly types, in a few words and in sentences. `elapid explain`, reports and
// stories print these texts.
#pragma once

#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// In a few words, as `read skew, with real time`; empty if the type's name says it.
[[nodiscard]] std::string gloss(AnomalyType type);

/// The definition in plain sentences; never empty.
[[nodiscard]] std::string meaning(AnomalyType type);

}  // namespace elapid
