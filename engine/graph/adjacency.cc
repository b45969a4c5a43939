#include "engine/graph/adjacency.h"

#include <algorithm>

namespace elapid {

std::vector<std::uint32_t> topological_order(const Adjacency& successors) {
  const std::uint32_t n = successors.vertex_count();
  std::vector<std::uint32_t> pending(n, 0);  // predecessors not in the order yet
  for (std::uint32_t v = 0; v < n; ++v) {
    for (const std::uint32_t to : successors.of(v)) {
      ++pending[to];
    }
  }
  std::vector<std::uint32_t> order;
  order.reserve(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    if (pending[v] == 0) {
      order.push_back(v);
    }
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const std::uint32_t to : successors.of(order[done])) {
      if (--pending[to] == 0) {
        order.push_back(to);
      }
    }
  }
  return order;
}

std::vector<std::uint32_t> order_by_depth(const Adjacency& successors,
                                          std::vector<std::uint32_t> order) {
  const std::uint32_t n = successors.vertex_count();
  std::vector<std::uint32_t> before(n, 0);  // edges of the longest path
  std::vector<std::uint32_t> after(n, 0);
  for (const std::uint32_t v : order) {
    for (const std::uint32_t to : successors.of(v)) {
      before[to] = std::max(before[to], before[v] + 1);
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const std::uint32_t to : successors.of(order[i])) {
      after[order[i]] = std::max(after[order[i]], after[to] + 1);
    }
  }
  // Along an edge the path to a vertex grows and the path from it shrinks.
  std::ranges::sort(order, {}, [&](std::uint32_t v) {
    return std::pair(std::int64_t{before[v]} - std::int64_t{after[v]}, v);
  });
  return order;
}

}  // namespace elapid
