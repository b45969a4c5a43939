// What types of anomalies are, in a few words.
#pragma once

#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// As `read skew, with real time`; empty where the type's name says it.
[[nodiscard]] std::string gloss(AnomalyType type);

}  // namespace elapid
