// Orders in which the steps of several sessions can be interleaved.
#ifndef ELAPID_HARNESS_SCENARIO_ORDERS_H_
#define ELAPID_HARNESS_SCENARIO_ORDERS_H_

#include <cstddef>
#include <vector>

namespace elapid {

/// A session for each step: whose turn it is.
using StepOrder = std::vector<std::size_t>;

/// How many interleavings there are of sessions with so many steps each; `most + 1` if there are
/// more than `most`.
[[nodiscard]] std::size_t count_orders(const std::vector<std::size_t>& steps, std::size_t most);

/// All of them, in the order of the dictionary, `first` before the others.
[[nodiscard]] std::vector<StepOrder> all_orders(const StepOrder& first);

}  // namespace elapid

#endif  // ELAPID_HARNESS_SCENARIO_ORDERS_H_
