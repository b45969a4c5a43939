#include "harness/scenario/orders.h"

#include <algorithm>
#include <utility>

namespace elapid {

std::size_t count_orders(const std::vector<std::size_t>& steps, std::size_t most) {
  // Adds the sessions one by one: each multiplies the count by the ways to place its steps among
  // those so far. Before the division a product is at most `most` times the number of steps.
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
  // The first order in the dictionary runs the sessions one after the other. The places of a
  // session's steps follow from those of the session.
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
