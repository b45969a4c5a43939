// The events of a draft in order, and changes of this order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/minimize/draft.h"

namespace elapid {

/// An invocation or a completion.
struct DraftEvent {
  std::int64_t place = 0;
  std::size_t txn = 0;  ///< its number in the draft
  bool is_completion = false;
};

/// The events, sorted by place.
[[nodiscard]] std::vector<DraftEvent> events_of(const Draft& draft);

/// Gives the events the places 0, 1, ... in this order, and the same numbers as indices, if they
/// have indices.
void number_events(Draft& draft, const std::vector<DraftEvent>& order);

/// The same. Also removes times, or sets them to the places if nothing else shows the order.
void reorder_events(Draft& draft, const std::vector<DraftEvent>& order);

}  // namespace elapid
