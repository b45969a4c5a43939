#include "engine/certify/predictions/circle.h"

#include <algorithm>
#include <limits>

namespace elapid::certify {

namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

using Graph = std::vector<std::vector<std::uint32_t>>;

/// The vertices that are left once those without an edge in are taken away, again and again: those
/// on circles and behind them.
std::vector<bool> without_sources(const Graph& after) {
  std::vector<std::uint32_t> edges_in(after.size(), 0);
  for (const std::vector<std::uint32_t>& behind : after) {
    for (const std::uint32_t to : behind) {
      ++edges_in[to];
    }
  }
  std::vector<bool> is_left(after.size(), true);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t v = 0; v < after.size(); ++v) {
    if (edges_in[v] == 0) {
      sources.push_back(v);
    }
  }
  while (!sources.empty()) {
    const std::uint32_t source = sources.back();
    sources.pop_back();
    is_left[source] = false;
    for (const std::uint32_t to : after[source]) {
      if (--edges_in[to] == 0) {
        sources.push_back(to);
      }
    }
  }
  return is_left;
}

/// A shortest circle through `first` over vertices that are left; empty if there is none.
std::vector<std::uint32_t> circle_through(const Graph& after, const std::vector<bool>& is_left,
                                          std::uint32_t first) {
  std::vector<std::uint32_t> from(after.size(), kUnseen);
  std::vector<std::uint32_t> queue = {first};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const std::uint32_t to : after[queue[next]]) {
      if (to == first) {
        std::vector<std::uint32_t> circle;
        for (std::uint32_t at = queue[next]; at != first; at = from[at]) {
          circle.push_back(at);
        }
        circle.push_back(first);
        std::ranges::reverse(circle);
        return circle;
      }
      if (is_left[to] && from[to] == kUnseen) {
        from[to] = queue[next];
        queue.push_back(to);
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<std::uint32_t>> disjoint_circles(const Graph& after) {
  std::vector<bool> is_left = without_sources(after);
  Graph circles;
  for (std::uint32_t v = 0; v < after.size(); ++v) {
    if (!is_left[v]) {
      continue;
    }
    std::vector<std::uint32_t> circle = circle_through(after, is_left, v);
    is_left[v] = false;
    for (const std::uint32_t on_circle : circle) {
      is_left[on_circle] = false;
    }
    if (!circle.empty()) {
      circles.push_back(std::move(circle));
    }
  }
  return circles;
}

}  // namespace elapid::certify
