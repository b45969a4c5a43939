// From an order of events to a witness.
#pragma once

#include <cstdint>
#include <span>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// `order`: the events of all transactions that take effect. Runs them to find the writer of each
/// ambiguous read. Linear.
[[nodiscard]] Witness write_witness(const OrderProblem& problem, const EventMap& events,
                                    std::span<const std::uint32_t> order);

/// Whether, in this order, each version that a read saw exists before later reads of the key that
/// must see this version or a later one (KeyLink). Linear.
[[nodiscard]] bool respects_links(const OrderProblem& problem, const EventMap& events,
                                  std::span<const std::uint32_t> order);

}  // namespace elapid
