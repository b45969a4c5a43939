#include "adapter/report/views/cycle_breaking.h"

#include <optional>
#include <set>

namespace elapid {
namespace {

using Edge = std::pair<std::size_t, std::size_t>;

/// The vertices in order from vertex 0, if the graph is exactly one cycle.
std::optional<std::vector<std::size_t>> as_cycle(std::size_t vertices,
                                                 const std::vector<Edge>& edges) {
  std::vector<std::set<std::size_t>> next(vertices);
  for (const auto& [from, to] : edges) {
    if (from != to) {
      next[from].insert(to);
    }
  }
  std::vector<std::size_t> cycle;
  std::set<std::size_t> seen;
  for (std::size_t v = 0; vertices > 1 && seen.insert(v).second; v = *next[v].begin()) {
    if (next[v].size() != 1) {
      return std::nullopt;
    }
    cycle.push_back(v);
  }
  const bool is_closed =
      cycle.size() == vertices && vertices > 1 && *next[cycle.back()].begin() == cycle.front();
  return is_closed ? std::optional(cycle) : std::nullopt;
}

/// The place of each vertex in a sequence with few backward edges.
std::vector<std::size_t> greedy_places(std::size_t vertices, const std::vector<Edge>& edges) {
  std::vector<std::size_t> places(vertices, vertices);
  std::size_t first = 0;
  std::size_t last = vertices;
  const auto is_open = [&](std::size_t v) { return places[v] == vertices; };
  while (first < last) {
    std::vector<std::ptrdiff_t> out(vertices);
    std::vector<std::ptrdiff_t> in(vertices);
    for (const auto& [from, to] : edges) {
      if (from != to && is_open(from) && is_open(to)) {
        ++out[from];
        ++in[to];
      }
    }
    std::optional<std::size_t> best;
    bool is_sink = false;
    for (std::size_t v = vertices; v-- > 0;) {
      if (!is_open(v)) {
        continue;
      }
      if (out[v] == 0 && in[v] > 0) {
        best = v;
        is_sink = true;
        break;
      }
      if (in[v] == 0 || !best || (in[*best] > 0 && out[v] - in[v] >= out[*best] - in[*best])) {
        best = v;
      }
    }
    places[*best] = is_sink ? --last : first++;
  }
  return places;
}

}  // namespace

std::vector<bool> edges_to_reverse(std::size_t vertices, const std::vector<Edge>& edges) {
  std::vector<std::size_t> places(vertices);
  if (const auto cycle = as_cycle(vertices, edges)) {
    // The first half leads forth and the second half back, between the same ends.
    const std::size_t turn = (vertices + 1) / 2;
    for (std::size_t i = 0; i < vertices; ++i) {
      places[(*cycle)[i]] = i <= turn ? i : 2 * vertices - i;
    }
    places[(*cycle)[turn % vertices]] = 3 * vertices;
  } else {
    places = greedy_places(vertices, edges);
  }
  std::vector<bool> reversed;
  for (const auto& [from, to] : edges) {
    reversed.push_back(places[from] > places[to]);
  }
  return reversed;
}

}  // namespace elapid
