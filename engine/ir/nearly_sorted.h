// Sorting of what is nearly in order, such as events of clients that overlap.
//
// ```cpp
// std::vector<int> numbers = {2, 1, 3, 5, 4};
// sort_nearly_sorted(numbers);
// CHECK(std::ranges::is_sorted(numbers));
// ```
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace elapid {

/// Linear where items are near their places, else O(n log n). Not stable.
template <class Items, class Order = std::ranges::less, class Projection = std::identity>
void sort_nearly_sorted(Items& items, Order order = {}, Projection projection = {}) {
  constexpr std::size_t kStepsEach = 8;
  std::size_t steps = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto is_before = [&](const auto& a, const auto& b) {
      return std::invoke(order, std::invoke(projection, a), std::invoke(projection, b));
    };
    if (!is_before(items[i], items[i - 1])) {
      continue;
    }
    if (steps > kStepsEach * items.size()) {
      std::ranges::sort(items, order, projection);
      return;
    }
    auto item = std::move(items[i]);
    std::size_t place = i;
    do {
      items[place] = std::move(items[place - 1]);
      --place;
      ++steps;
    } while (place > 0 && is_before(item, items[place - 1]));
    items[place] = std::move(item);
  }
}

}  // namespace elapid
