// Writers that read initial values imply an order of first writes, independently of which of two
// writers comes first.
//
// T1 and T2 both write x, and both read the initial value of y. If writers of a key exclude one
// another, as at snapshot isolation, one of the two starts after the other one committed. So x is
// written before any transaction writes y. If in the same way two other writers of y imply that y
// is written before x, there is no order. For n keys in such a ring, a search would try 2^n orders
// of pairs.
#pragma once

#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A ring of these keys, as a cycle that also holds with the ends of each ww edge exchanged: T1
/// -ww-> T2 -rw-> T3 -ww-> T4 -rw-> ... Empty if there is none, or if none is found soon. Near
/// linear in reads and writes.
[[nodiscard]] std::vector<OrderEdge> ring_of_initial_readers(const OrderProblem& problem,
                                                             const EventMap& events);

}  // namespace elapid
