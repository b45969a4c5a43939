// Edges between events as variables of clauses. Those that hold form no cycle.
//
//   edge(a, b) and edge(b, a)  ->  the clause (not edge(a, b) or not edge(b, a))
//
// The theory of engine/solve/sat_solver.h; the graph is engine/graph/incremental_order.h.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/graph/incremental_order.h"
#include "engine/solve/sat_solver.h"

namespace elapid::predict {

class OrderTheory final : public Theory {
 public:
  /// `permanent` edges always hold, and `order` is a topological order of them.
  OrderTheory(std::uint32_t vertices, std::vector<IncrementalOrder::Edge> permanent,
              const std::vector<std::uint32_t>& order);

  /// The solver that asks; before the first edge.
  void serve(SatSolver& sat) { sat_ = &sat; }

  /// The literal that says that the edge holds. The solver tries false first; after
  /// follow_first_order() that only where the edge disagrees with the first order.
  [[nodiscard]] Literal edge(std::uint32_t from, std::uint32_t to);

  void follow_first_order() { follows_order_ = true; }

  /// What to do once all variables have values: see Theory::accepts().
  std::function<bool()> on_model = {};

  /// The vertices in an order that has all edges that hold.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_.order(); }

  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) override;
  void retract(Literal literal) override;

  /// Literals to try before all others, in this order.
  std::vector<Literal> tried_first = {};

  Literal prefer(Literal usual) override;

  bool accepts() override { return !on_model || on_model(); }

 private:
  IncrementalOrder order_;
  std::vector<std::uint32_t> first_places_;
  std::uint32_t permanent_count_;
  SatSolver* sat_ = nullptr;
  bool follows_order_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> variables_;       // by edge
  std::unordered_map<std::uint32_t, IncrementalOrder::Edge> edges_;  // by variable
  std::vector<std::uint32_t> inserted_;  // variables of the edges that hold, in that order
};

}  // namespace elapid::predict
