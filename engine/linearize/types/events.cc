#include "engine/linearize/types/events.h"

#include <utility>

#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

/// The places of the operations that returned, in order of their returns.
std::vector<std::uint32_t> places_by_return(const Operations& operations) {
  TimedOrder order;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (!operations[place].is_open()) {
      order.add(operations[place].returned, 0, place);
    }
  }
  return std::move(order).sorted();
}

}  // namespace

std::vector<OperationEvent> events_of(const Operations& operations) {
  const std::vector<std::uint32_t> returns = places_by_return(operations);
  std::vector<OperationEvent> events;
  events.reserve(operations.size() + returns.size());
  auto next = returns.begin();
  const auto return_before = [&](std::uint32_t bound) {
    for (; next != returns.end() && operations[*next].returned < bound; ++next) {
      events.push_back({operations[*next].returned, *next, true});
    }
  };
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    return_before(operations[place].invoked);
    events.push_back({operations[place].invoked, place, false});
  }
  return_before(kNever);
  return events;
}

std::size_t most_open_at_once(const Operations& operations,
                              const std::vector<OperationEvent>& events) {
  std::size_t most = 0;
  std::size_t open = 0;
  for (const OperationEvent& event : events) {
    if (event.is_return) {
      --open;
    } else if (!operations[event.place].is_open()) {
      most = std::max(most, ++open);
    }
  }
  return most;
}

}  // namespace elapid::linearize
