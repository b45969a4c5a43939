// The class that Elle gives a cycle by its steps (docs/elle-rules.md).
#pragma once

#include <span>
#include <vector>

#include "engine/verdict/verdict.h"

namespace elapid::certify {

[[nodiscard]] bool has(std::span<const Step> steps, Relation relation);

/// Whether an anti-dependency follows another, the last step being followed by the first.
[[nodiscard]] bool has_adjacent_rw(std::span<const Step> steps);

/// The class of a cycle, or the one that covers several cycles if at least one of them exists: the
/// most anti-dependencies and the strongest order of transactions among them.
[[nodiscard]] AnomalyType class_of(std::span<const std::vector<Step>> cycles);

}  // namespace elapid::certify
