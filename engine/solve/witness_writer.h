// From an order of events to a witness.
#pragma once

#include <cstdint>
#include <span>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// `order`: the events of all transactions that take effect. Carries them out to see whom each
/// ambiguous read saw. Linear.
[[nodiscard]] Witness write_witness(const OrderProblem& problem, const EventMap& events,
                                    std::span<const std::uint32_t> order);

/// Whether in this order of events each version that a read saw is there where later reads of the
/// key must see it or a later one (KeyLink). Linear.
[[nodiscard]] bool respects_links(const OrderProblem& problem, const EventMap& events,
                                  std::span<const std::uint32_t> order);

}  // namespace elapid
