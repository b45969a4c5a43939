#include "engine/graph/incremental_order.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace elapid {

namespace {

/// The places set out for the search of a path that cost as much as an edge.
constexpr std::size_t kPlacesInEdge = 16;

constexpr std::uint32_t kNotReached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

IncrementalOrder::IncrementalOrder(std::uint32_t vertex_count, std::vector<Edge> edges,
                                   std::span<const std::uint32_t> order)
    : edges_(std::move(edges)),
      out_(places_by_row(vertex_count, edges_, [](const Edge& e) { return e.first; })),
      in_(places_by_row(vertex_count, edges_, [](const Edge& e) { return e.second; })),
      added_out_(vertex_count),
      added_in_(vertex_count),
      order_(order.begin(), order.end()),
      position_(vertex_count),
      is_marked_(vertex_count, false),
      is_marked_before_(vertex_count, false) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    position_[order_[i]] = i;
  }
}

bool IncrementalOrder::insert(std::uint32_t from, std::uint32_t to) {
  if (from == to) {
    return false;
  }
  if (position_[from] > position_[to]) {
    if (!find_after(to, from)) {
      return false;
    }
    find_before(from, position_[to]);
    move();
  }
  added_out_[from].push_back(edge_count());
  added_in_[to].push_back(edge_count());
  edges_.emplace_back(from, to);
  return true;
}

void IncrementalOrder::remove_last() {
  const auto [from, to] = edges_.back();
  edges_.pop_back();
  added_out_[from].pop_back();
  added_in_[to].pop_back();
}

template <class Visit>
void IncrementalOrder::each_edge_from(std::uint32_t vertex, Visit visit) const {
  for (const std::uint32_t e : out_.of(vertex)) {
    visit(e);
  }
  for (const std::uint32_t e : added_out_[vertex]) {
    visit(e);
  }
  work_ += out_.of(vertex).size() + added_out_[vertex].size();
}

template <class Visit>
void IncrementalOrder::each_edge_to(std::uint32_t vertex, Visit visit) const {
  for (const std::uint32_t e : in_.of(vertex)) {
    visit(e);
  }
  for (const std::uint32_t e : added_in_[vertex]) {
    visit(e);
  }
  work_ += in_.of(vertex).size() + added_in_[vertex].size();
}

/// Searches breadth-first from both ends in turn. In a dense graph the two searches soon meet.
bool IncrementalOrder::reaches(std::uint32_t from, std::uint32_t to) {
  if (from == to) {
    return true;
  }
  if (position_[from] > position_[to]) {
    return false;
  }
  after_.assign(1, from);
  before_.assign(1, to);
  is_marked_[from] = true;
  is_marked_before_[to] = true;
  bool do_meet = false;
  for (std::size_t i = 0; i < after_.size() && i < before_.size() && !do_meet; ++i) {
    each_edge_from(after_[i], [&](std::uint32_t e) {
      const std::uint32_t next = edges_[e].second;
      do_meet = do_meet || is_marked_before_[next];
      if (!is_marked_[next] && position_[next] < position_[to]) {
        is_marked_[next] = true;
        after_.push_back(next);
      }
    });
    each_edge_to(before_[i], [&](std::uint32_t e) {
      const std::uint32_t next = edges_[e].first;
      do_meet = do_meet || is_marked_[next];
      if (!is_marked_before_[next] && position_[next] > position_[from]) {
        is_marked_before_[next] = true;
        before_.push_back(next);
      }
    });
  }
  for (const std::uint32_t v : after_) {
    is_marked_[v] = false;
  }
  for (const std::uint32_t v : before_) {
    is_marked_before_[v] = false;
  }
  return do_meet;
}

std::vector<std::uint32_t> IncrementalOrder::some_after(std::uint32_t from, std::size_t most) {
  std::vector<std::uint32_t> found = {from};
  is_marked_[from] = true;
  for (std::size_t i = 0; i < found.size() && found.size() < most; ++i) {
    each_edge_from(found[i], [&](std::uint32_t e) {
      const std::uint32_t next = edges_[e].second;
      if (!is_marked_[next] && found.size() < most) {
        is_marked_[next] = true;
        found.push_back(next);
      }
    });
  }
  for (const std::uint32_t v : found) {
    is_marked_[v] = false;
  }
  return found;
}

/// Collects what `from` leads to, up to the place of `last`; false if `last` is among it.
bool IncrementalOrder::find_after(std::uint32_t from, std::uint32_t last) {
  after_.assign(1, from);
  is_marked_[from] = true;
  bool is_acyclic = true;
  for (std::size_t i = 0; i < after_.size() && is_acyclic; ++i) {
    each_edge_from(after_[i], [&](std::uint32_t e) {
      const std::uint32_t to = edges_[e].second;
      is_acyclic = is_acyclic && to != last;
      if (!is_marked_[to] && position_[to] < position_[last]) {
        is_marked_[to] = true;
        after_.push_back(to);
      }
    });
  }
  for (const std::uint32_t v : after_) {
    is_marked_[v] = false;
  }
  return is_acyclic;
}

/// Collects what leads to `from`, down to the place `first`.
void IncrementalOrder::find_before(std::uint32_t from, std::uint32_t first) {
  before_.assign(1, from);
  is_marked_[from] = true;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    each_edge_to(before_[i], [&](std::uint32_t e) {
      const std::uint32_t v = edges_[e].first;
      if (!is_marked_[v] && position_[v] > first) {
        is_marked_[v] = true;
        before_.push_back(v);
      }
    });
  }
  for (const std::uint32_t v : before_) {
    is_marked_[v] = false;
  }
}

/// Puts all of before_ in front of all of after_, in the places that they have together.
void IncrementalOrder::move() {
  const auto by_position = [this](std::uint32_t a, std::uint32_t b) {
    return position_[a] < position_[b];
  };
  std::sort(before_.begin(), before_.end(), by_position);
  std::sort(after_.begin(), after_.end(), by_position);
  std::vector<std::uint32_t> places;
  places.reserve(before_.size() + after_.size());
  for (const auto* part : {&before_, &after_}) {
    for (const std::uint32_t v : *part) {
      places.push_back(position_[v]);
    }
  }
  std::sort(places.begin(), places.end());
  auto place = places.begin();
  for (const auto* part : {&before_, &after_}) {
    for (const std::uint32_t v : *part) {
      position_[v] = *place;
      order_[*place++] = v;
    }
  }
}

std::vector<std::uint32_t> IncrementalOrder::cheapest_path(
    std::uint32_t from, std::uint32_t to,
    const std::function<bool(std::uint32_t edge)>& is_dear) const {
  // By place, of those between the ends.
  const std::uint32_t first = position_[from];
  std::vector<std::uint32_t> cost(position_[to] - first + std::size_t{1}, kNotReached);
  std::vector<std::uint32_t> reached_by(cost.size(), kNotReached);
  std::deque<std::uint32_t> queue = {from};
  cost[0] = 0;
  work_ += cost.size() / kPlacesInEdge;
  while (!queue.empty()) {
    const std::uint32_t v = queue.front();
    queue.pop_front();
    if (v == to) {
      break;
    }
    each_edge_from(v, [&](std::uint32_t e) {
      const std::uint32_t next = edges_[e].second;
      if (position_[next] > position_[to]) {
        return;
      }
      const bool dear = is_dear(e);
      const std::uint32_t through = cost[position_[v] - first] + (dear ? 1 : 0);
      if (through < cost[position_[next] - first]) {
        cost[position_[next] - first] = through;
        reached_by[position_[next] - first] = e;
        if (dear) {
          queue.push_back(next);
        } else {
          queue.push_front(next);
        }
      }
    });
  }
  std::vector<std::uint32_t> path;
  for (std::uint32_t v = to; v != from; v = edges_[path.back()].first) {
    path.push_back(reached_by[position_[v] - first]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace elapid
