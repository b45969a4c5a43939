// The class that Elle gives a cycle by its steps (docs/elle-rules.md).
#pragma once

#include <span>
#include <vector>

#include "engine/verdict/verdict.h"

namespace elapid::certify {

[[nodiscard]] bool has(std::span<const Step> steps, Relation relation);

/// Whether two anti-dependencies are adjacent; the first step follows the last.
[[nodiscard]] bool has_adjacent_rw(std::span<const Step> steps);

/// The class of a cycle. For several cycles, at least one of which exists: the class that covers
/// all, with the most anti-dependencies and the strongest order of transactions among them.
[[nodiscard]] AnomalyType class_of(std::span<const std::vector<Step>> cycles);

}  // namespace elapid::certify
