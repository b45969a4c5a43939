#include "harness/scenario/orders.h"

#include <algorithm>

namespace elapid {

std::size_t count_orders(const std::vector<std::size_t>& steps, std::size_t most) {
  // The sessions come one after another: each multiplies by the ways to choose its places among all
  // so far. Before it is divided, a product is at most `most` times the number of steps.
  std::size_t count = 1;
  std::size_t places = 0;
  for (const std::size_t own : steps) {
    for (std::size_t i = 1; i <= own; ++i) {
      ++places;
      count = count * places / i;
      if (count > most) {
        return most + 1;
      }
    }
  }
  return count;
}

std::vector<StepOrder> all_orders(const StepOrder& first) {
  std::vector<StepOrder> orders = {first};
  StepOrder order = first;
  std::ranges::sort(order);
  do {
    if (order != first) {
      orders.push_back(order);
    }
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

}  // namespace elapid
