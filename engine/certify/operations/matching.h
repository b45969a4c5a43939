// Pairs of two sets, as many as can be.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid::certify {

/// Whether each can have another one of the places that it may have; places are numbers below
/// `places`. By augmenting paths (Kuhn 1955), each found breadth first: O(number × choices) time,
/// and no recursion, however long a path is.
[[nodiscard]] bool can_be_matched(const std::vector<std::vector<std::size_t>>& may_have,
                                  std::size_t places);

}  // namespace elapid::certify
