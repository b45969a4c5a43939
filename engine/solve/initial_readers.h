// Writers that read initial values imply an order of first writes, whichever of two writers comes
// first.
//
// T1 and T2 both write x, and both read the initial value of y. If writers of a key exclude one
// another, as at snapshot isolation, one of the two starts after the other has committed. So x is
// written before any transaction writes y. If two other writers of y imply in the same way that y
// is written before x, there is no order. For n keys in such a ring a search would try the 2^n
// orders of pairs.
#pragma once

#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A ring of such keys, as a cycle that holds with the two ends of each ww edge exchanged as well:
/// T1 -ww-> T2 -rw-> T3 -ww-> T4 -rw-> ... Empty if there is none, or none was found soon. Near
/// linear in reads and writes.
[[nodiscard]] std::vector<OrderEdge> ring_of_initial_readers(const OrderProblem& problem,
                                                             const EventMap& events);

}  // namespace elapid
