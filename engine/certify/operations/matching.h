// Matchings between two sets.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid::certify {

/// Whether each item can have a place of its own among those that it may have. Places are numbers
/// below `places`. By augmenting paths (Kuhn 1955), each found breadth first: O(number × choices)
/// time, and no recursion, however long a path is.
[[nodiscard]] bool can_be_matched(const std::vector<std::vector<std::size_t>>& may_have,
                                  std::size_t places);

}  // namespace elapid::certify
