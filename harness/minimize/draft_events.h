// The events of a draft in their order, and putting them into another one.
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

/// In the order of their places.
[[nodiscard]] std::vector<DraftEvent> events_of(const Draft& draft);

/// Gives the events the places 0, 1, ... in this order, and indices that are the same where they
/// have any.
void number_events(Draft& draft, const std::vector<DraftEvent>& order);

/// The same, and takes away times, or makes them the places where nothing else tells the order.
void reorder_events(Draft& draft, const std::vector<DraftEvent>& order);

}  // namespace elapid
