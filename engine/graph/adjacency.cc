#include "engine/graph/adjacency.h"

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

}  // namespace elapid
