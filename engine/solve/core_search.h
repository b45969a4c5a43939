// The search for an order of one core: clauses over choices, with an incremental topological order
// as their theory.
//
// A choice is which of two writers of common keys comes first, whose write a read saw, or whether
// an indeterminate transaction took effect. Each brings edges; a cycle of such edges is a clause.
// Choices between writers are made only where the order at hand serves a read wrongly: so the
// clauses stay few (refinement by counterexamples; VeriStrong and PolySI make all constraints at
// the beginning).
//
// Example: T1 writes x = 1, T2 writes x = 2, and T3 reads x = 1. The order at hand is T1 T2 T3, in
// which T3 would read 2. So the choice "T2 before T1" is made, with the edges T2 -> T1 if it holds,
// and T1 -> T2 and T3 -> T2 (T3 missed T2's write) if it does not. If a path T2 -> T3 is known, the
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

/// An edge of a cycle: of the graph, by number, or one that choices brought.
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
  std::vector<ReadFrom> reads = {};             ///< the writers that its open reads saw, if valid
  std::vector<CoreStep> refutation = {};        ///< only what the last, empty clause needs
  std::uint64_t choices = 0;
  std::uint64_t settled_choices = 0;  ///< of these; all if the core is
  std::uint64_t conflicts = 0;
};

/// `saturation` may be missing: then nothing is taken as settled but what the graph says. `work`:
/// edges and events looked at before the search gives up.
[[nodiscard]] CoreResult search_core(const OrderProblem& problem, const OrderGraph& graph,
                                     const SettledReaders& readers, const Saturation* saturation,
                                     const Cores& cores, std::uint32_t core, std::uint64_t work,
                                     const std::function<bool()>& keep_going);

}  // namespace elapid
