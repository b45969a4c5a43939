// What a check of evidence answers.
#pragma once

#include <optional>
#include <string>

namespace elapid::certify {

/// Why a piece of evidence does not hold, in one sentence; nothing where it holds.
using Flaw = std::optional<std::string>;

/// Of a cycle of any relation: a transaction does not come before itself.
inline constexpr const char* kEdgeToItself = "an edge leads from a transaction to itself";

}  // namespace elapid::certify
