// From a cycle of transactions to the steps that evidence shows.
//
// Session order and real time are transitive, so a cycle needs no two steps of one of them in a
// row. Paths through events have them all the same, since each event knows only its neighbours:
//
//   T1 -process-> T2 -process-> T3 -rw-> T1    is    T1 -process-> T3 -rw-> T1
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Makes one edge of neighbouring edges of session order, and of real time; the first edge is a
/// neighbour of the last one. Edges that order the operations on one key stay.
void join_orders(std::vector<OrderEdge>& cycle);

/// One step an edge, with the operations that it names. Linear in these transactions' operations.
[[nodiscard]] std::vector<Step> steps_of(const History& history, std::span<const OrderEdge> cycle);

}  // namespace elapid
