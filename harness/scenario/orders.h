// Orders in which the steps of several sessions can be interleaved.
#pragma once

#include <cstddef>
#include <vector>

namespace elapid {

/// Numbers of steps, in the order in which they run.
using StepOrder = std::vector<std::size_t>;

/// The number of interleavings of sessions with these numbers of steps; `most + 1` if there are
/// more than `most`.
[[nodiscard]] std::size_t count_orders(const std::vector<std::size_t>& steps, std::size_t most);

/// All interleavings of the steps of these sessions. Each session's own steps stay in order. They
/// come in lexicographic order of sessions, but the order of the steps' numbers comes first.
[[nodiscard]] std::vector<StepOrder> all_orders(const std::vector<std::size_t>& sessions);

}  // namespace elapid
