// The order of time as a witness: the proof of a valid history.
#pragma once

#include "engine/timestamps/timeline.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The events of all transactions with a place, in the order of their timestamps: what proves a
/// history valid in which nothing violates them. Transactions that only read commit where they
/// start. O(transactions).
[[nodiscard]] Witness order_of_time(const Timeline& timeline);

}  // namespace elapid
