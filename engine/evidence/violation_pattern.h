// Finer names of violations of the weak levels.
#pragma once

#include <string>

#include "engine/verdict/verdict.h"

namespace elapid {

/// The name of an inferred cycle among the patterns of Liu et al., "Plume" (OOPSLA 2024), as
/// `fractured-read`. It ends in `-through-arbitration` if the order of several writers is inferred.
/// Empty for other evidence, and for cycles with more than one anti-dependency.
[[nodiscard]] std::string violation_pattern(const Anomaly& anomaly);

}  // namespace elapid
