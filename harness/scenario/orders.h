// Orders in which the steps of several sessions can be interleaved.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

/// Numbers of steps, in the order in which they are to be done.
using StepOrder = std::vector<std::size_t>;

/// How many interleavings there are of sessions with so many steps each; `most + 1` if there are
/// more than `most`.
[[nodiscard]] std::size_t count_orders(const std::vector<std::size_t>& steps, std::size_t most);

/// All of them, of steps of these sessions, each session's own in their order; in the order of the
/// dictionary of sessions, but that of the steps' numbers before the others.
[[nodiscard]] std::vector<StepOrder> all_orders(const std::vector<std::size_t>& sessions);

}  // namespace elapid
