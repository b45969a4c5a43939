// Cycles by definition: all closed walks of a small graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "engine/graph/cycle_query.h"
#include "engine/graph/digraph.h"

namespace elapid {

/// Whether each step begins where the one before ends, the first where the last does, and each
/// takes one label that its edge has.
inline bool is_closed_walk(const Digraph& graph, std::span<const CycleEdge> walk) {
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const CycleEdge& step = walk[i];
    const bool one_label = step.label != 0 && (step.label & (step.label - 1)) == 0;
    if (!one_label || (graph.label_between(step.from, step.to) & step.label) == 0 ||
        step.to != walk[(i + 1) % walk.size()].from) {
      return false;
    }
  }
  return !walk.empty();
}

inline bool is_simple(std::span<const CycleEdge> walk) {
  std::set<std::uint32_t> seen;
  return std::all_of(walk.begin(), walk.end(),
                     [&](const CycleEdge& step) { return seen.insert(step.from).second; });
}

/// Whether a closed walk is of the class.
inline bool is_of_class(const CycleQuery& query, std::span<const CycleEdge> walk) {
  std::size_t rw = 0;
  bool adjacent = false;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const bool is_rw = (walk[i].label & query.rw) != 0;
    rw += is_rw ? 1U : 0U;
    adjacent |= is_rw && (walk[(i + 1) % walk.size()].label & query.rw) != 0;
    if ((walk[i].label & query.mentioned()) == 0) {
      return false;
    }
  }
  const bool has_required =
      std::all_of(query.required.begin(), query.required.end(), [&](EdgeLabel required) {
        return required == 0 || std::any_of(walk.begin(), walk.end(), [&](const CycleEdge& step) {
                 return (step.label & required) != 0;
               });
      });
  switch (query.mode) {
    case RwMode::kNone:
      return has_required;
    case RwMode::kSingle:
      return has_required && rw == 1;
    case RwMode::kNonadjacent:
      return has_required && rw >= 2 && !adjacent;
    case RwMode::kMultiple:
      return has_required && rw >= 2;
  }
  return false;
}

/// Every closed walk of at most `most` steps, one label a step.
inline std::vector<std::vector<CycleEdge>> closed_walks(const Digraph& graph, std::size_t most) {
  std::vector<std::vector<CycleEdge>> closed;
  std::vector<CycleEdge> walk;
  const std::function<void(std::uint32_t)> extend = [&](std::uint32_t at) {
    if (!walk.empty() && at == walk.front().from) {
      closed.push_back(walk);
    }
    for (std::uint32_t e = graph.row_begin(at); walk.size() < most && e < graph.row_end(at); ++e) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        const auto label = static_cast<EdgeLabel>(graph.label(e) & (1U << bit));
        if (label != 0) {
          walk.push_back({at, graph.target(e), label});
          extend(graph.target(e));
          walk.pop_back();
        }
      }
    }
  };
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    extend(v);
  }
  return closed;
}

/// The classes that inference searches, and some more.
inline std::vector<CycleQuery> sample_queries() {
  constexpr EdgeLabel kWwr = kWwEdge | kWrEdge;
  constexpr EdgeLabel kItem = kWwr | kRwEdge;
  constexpr EdgeLabel kP = kProcessEdge;
  return {
      {.base = kWwEdge},
      {.base = kWwr, .required = {kWrEdge, 0}},
      {.base = kWwr | kP, .required = {kP, kWrEdge}},
      {.base = kItem},
      {.base = kWwr, .rw = kRwEdge, .mode = RwMode::kSingle},
      {.base = kWwr | kP, .rw = kRwEdge, .mode = RwMode::kSingle, .required = {kP, 0}},
      {.base = kWwr, .rw = kRwEdge, .mode = RwMode::kNonadjacent},
      {.base = kWwr | kP, .rw = kRwEdge, .mode = RwMode::kNonadjacent, .required = {kP, 0}},
      {.base = kItem, .rw = kRwEdge, .mode = RwMode::kMultiple},
      {.base = kItem | kP, .rw = kRwEdge, .mode = RwMode::kMultiple, .required = {kP, 0}},
  };
}

}  // namespace elapid
