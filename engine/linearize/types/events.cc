#include "engine/linearize/types/events.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace elapid::linearize {
namespace {

std::vector<std::uint32_t> places_that_returned(const Operations& operations) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (!operations[place].is_open()) {
      places.push_back(place);
    }
  }
  return places;
}

/// Sorts by counting: `last` is the greatest instant of a return.
std::vector<std::uint32_t> counted_by_return(const Operations& operations,
                                             const std::vector<std::uint32_t>& places,
                                             std::size_t last) {
  std::vector<std::uint32_t> begin(last + 2);
  for (const std::uint32_t place : places) {
    ++begin[operations[place].returned + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> sorted(places.size());
  for (const std::uint32_t place : places) {
    sorted[begin[operations[place].returned]++] = place;
  }
  return sorted;
}

}  // namespace

std::vector<std::uint32_t> places_by_return(const Operations& operations) {
  std::vector<std::uint32_t> places = places_that_returned(operations);
  const auto returned = [&](std::uint32_t place) { return operations[place].returned; };
  const std::uint32_t last =
      places.empty() ? 0 : returned(*std::ranges::max_element(places, {}, returned));
  if (last <= 8 * operations.size()) {
    return counted_by_return(operations, places, last);
  }
  std::ranges::stable_sort(places, {}, returned);
  return places;
}

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

}  // namespace elapid::linearize
