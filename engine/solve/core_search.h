// The search for an order of one core: clauses over choices, with an incremental topological order
// as their theory.
//
// A choice is the order of two writers of common keys, the writer that a read saw, or whether an
// indeterminate transaction took effect. Each choice brings edges. A cycle of such edges becomes a
// clause. A choice between writers is made only if the current order serves a read wrongly: so the
// clauses stay few (refinement by counterexamples; VeriStrong and PolySI make all constraints at
// first).
//
// Example: T1 writes x = 1, T2 writes x = 2, and T3 reads x = 1. The current order is T1 T2 T3, in
// which T3 would read 2. So the choice "T2 before T1" is made. If it holds, it brings the edge
// T2 -> T1; if not, T1 -> T2 and T3 -> T2 (T3 missed T2's write). If a path T2 -> T3 is known, the
// edge T3 -> T2 closes a cycle: the clause says that "T2 before T1" holds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/solve/cores.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/solve/saturation.h"
#include "engine/solve/settled_readers.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An edge of a cycle: an edge of the graph, by its number, or an edge of a choice.
struct CoreEdge {
  static constexpr std::uint32_t kChosen = 0xffffffffU;
  std::uint32_t number = kChosen;
  OrderEdge chosen = {};
};

/// One clause of a core's refutation.
struct CoreStep {
  std::vector<Choice> clause = {};
  std::vector<CoreEdge> cycle = {};  ///< empty: follows by unit propagation
};

struct CoreResult {
  Validity validity = Validity::kUnknown;
  std::vector<std::uint32_t> order = {};        ///< of the core's vertices, if valid
  std::vector<std::uint32_t> took_effect = {};  ///< of its optional transactions, if valid
  std::vector<ReadFrom> reads = {};             ///< the writers of its open reads, if valid
  std::vector<CoreStep> refutation = {};  ///< only the lines that the last, empty clause needs
  std::uint64_t choices = 0;
  std::uint64_t settled_choices = 0;  ///< settled choices; all if the core is settled
  std::uint64_t conflicts = 0;
};

/// `saturation` may be null: then only edges of the graph count as settled. `work`: the most edges
/// and events to look at.
[[nodiscard]] CoreResult search_core(const OrderProblem& problem, const OrderGraph& graph,
                                     const SettledReaders& readers, const Saturation* saturation,
                                     const Cores& cores, std::uint32_t core, std::uint64_t work,
                                     const std::function<bool()>& keep_going);

}  // namespace elapid
