#include "harness/scenario/orders.h"

#include <algorithm>
#include <utility>

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

std::vector<StepOrder> all_orders(const std::vector<std::size_t>& sessions) {
  // Steps of one session after those of another one are the first in the dictionary. Where the
  // places of a session are known, those of its steps are.
  std::vector<std::size_t> turns = sessions;
  std::ranges::sort(turns);
  std::vector<StepOrder> own(turns.empty() ? 0 : turns.back() + 1);
  for (std::size_t step = 0; step < sessions.size(); ++step) {
    own[sessions[step]].push_back(step);
  }
  std::vector<StepOrder> orders = {{}};
  do {
    std::vector<std::size_t> taken(own.size());
    StepOrder order;
    for (const std::size_t session : turns) {
      order.push_back(own[session][taken[session]++]);
    }
    if (turns == sessions) {
      orders.front() = std::move(order);
    } else {
      orders.push_back(std::move(order));
    }
  } while (std::ranges::next_permutation(turns).found);
  return orders;
}

}  // namespace elapid
