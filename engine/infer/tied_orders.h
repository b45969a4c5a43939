// Keys whose versions have one of several orders.
//
// Example: x was read as [1 2] and as [2 1], and no longer list of it was. At read uncommitted
// reads may show anything, so that either list may be the order in which 1 and 2 were appended.
#pragma once

#include <functional>

#include "engine/infer/inference.h"
#include "engine/infer/order.h"
#include "engine/ir/history.h"

namespace elapid {

/// Whether one of the orders of each key in Inference::tied was found such that the writers of all
/// keys have an order, with sessions and real time if they count. Tries one choice after the other,
/// up to a limit of work or until `keep_going` is false. False proves nothing, even if all were
/// tried.
[[nodiscard]] bool finds_order_of_writers(const History& history, const Inference& inference,
                                          ExternalOrders orders,
                                          const std::function<bool()>& keep_going);

}  // namespace elapid
