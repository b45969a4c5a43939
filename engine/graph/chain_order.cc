#include "engine/graph/chain_order.h"

namespace elapid {

ChainOrder::ChainOrder(const std::vector<std::size_t>& lengths) {
  for (const std::size_t length : lengths) {
    first_.push_back(first_.back() + length);
  }
  next_.resize(first_.back());
  before_.resize(first_.back());
  for (std::size_t chain = 0; chain < lengths.size(); ++chain) {
    for (std::size_t i = 1; i < lengths[chain]; ++i) {
      must(node(chain, i - 1), node(chain, i));
    }
  }
}

void ChainOrder::must(Node from, Node to) {
  next_[from].push_back(to);
  ++before_[to];
}

bool ChainOrder::prefer(Node from, Node to) {
  if (reaches(to, from)) {
    return false;
  }
  must(from, to);
  return true;
}

std::vector<ChainOrder::Place> ChainOrder::in_order() const {
  std::vector<std::size_t> waits = before_;
  std::vector<Node> next(first_.begin(), first_.end() - 1);  // by chain
  std::vector<Place> order;
  std::size_t current = 0;
  const auto is_at_end = [&](std::size_t chain) { return next[chain] == first_[chain + 1]; };
  const auto can_go_on = [&](std::size_t chain) {
    return !is_at_end(chain) && waits[next[chain]] == 0;
  };
  while (order.size() < first_.back()) {
    for (std::size_t c = 0; c < chain_count() && !can_go_on(current); ++c) {
      current = can_go_on(c) ? c : current;
    }
    // If orders contradict one another and no chain can go on, one of them goes on all the same.
    for (std::size_t c = 0; c < chain_count() && is_at_end(current); ++c) {
      current = is_at_end(c) ? current : c;
    }
    const Node node = next[current]++;
    order.push_back({current, node - first_[current]});
    for (const Node later : next_[node]) {
      waits[later] -= waits[later] > 0 ? 1U : 0U;
    }
  }
  return order;
}

bool ChainOrder::reaches(Node from, Node to) const {
  std::vector<bool> is_seen(next_.size(), false);
  std::vector<Node> open = {from};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node == to) {
      return true;
    }
    for (const Node next : next_[node]) {
      if (!is_seen[next]) {
        is_seen[next] = true;
        open.push_back(next);
      }
    }
  }
  return false;
}

}  // namespace elapid
