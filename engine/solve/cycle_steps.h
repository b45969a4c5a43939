// From a cycle of transactions to the steps of the evidence.
//
// Session order and real time are transitive, so a cycle needs no two neighbouring steps of one of
// them. Paths through events have such steps, since each event knows only its neighbours:
//
//   T1 -process-> T2 -process-> T3 -rw-> T1    is    T1 -process-> T3 -rw-> T1
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Merges neighbouring edges of session order into one, and likewise of real time; the first edge
/// is a neighbour of the last one. Edges that order operations on one key stay.
void join_orders(std::vector<OrderEdge>& cycle);

/// One step for each edge, with its operations. Linear in the operations of these transactions.
[[nodiscard]] std::vector<Step> steps_of(const History& history, std::span<const OrderEdge> cycle);

}  // namespace elapid
