// The cores: the parts of the event graph in which a choice could close a cycle. A core is a
// strongly connected part of the graph of all edges that hold or might hold. No cycle leaves a
// core, so each core can be searched alone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/solve/saturation.h"
#include "engine/solve/settled_readers.h"

namespace elapid {

/// A strongly connected part of the graph of all edges that hold or might hold.
struct Core {
  std::vector<std::uint32_t> vertices;  ///< in a topological order of the edges that hold
  std::vector<std::uint32_t> edges;     ///< numbers of the edges that hold between its vertices
};

struct Cores {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  std::vector<Core> cores;
  std::vector<std::uint32_t> core_of;  ///< by vertex; kNone: the vertex is settled
  std::vector<std::uint32_t> place;    ///< by vertex: its place in the core's vertices
};

/// The cores after saturation. Every open pair of writers and every open read is in one of them.
/// O(open pairs and their readers, edges).
[[nodiscard]] Cores find_cores(const OrderProblem& problem, const OrderGraph& graph,
                               const SettledReaders& readers, const Saturation& saturation);

/// One core of everything, without reachability. `order`: a topological order of the graph.
[[nodiscard]] Cores single_core(const OrderGraph& graph, std::vector<std::uint32_t> order);

}  // namespace elapid
