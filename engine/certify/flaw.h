// The answer of a check of evidence.
#pragma once

#include <optional>
#include <string>

namespace elapid::certify {

/// The reason why a piece of evidence does not hold, in one sentence; nothing if it holds.
using Flaw = std::optional<std::string>;

/// For a cycle of any relation: no transaction comes before itself.
inline constexpr const char* kEdgeToItself = "an edge leads from a transaction to itself";

}  // namespace elapid::certify
