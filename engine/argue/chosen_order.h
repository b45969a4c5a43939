// The order of events by the solver's choices, kept acyclic. A cycle becomes a
// clause.
//
//   chosen: T1 before T2, T2 before T3; T3 before T1 would close a cycle: not all three
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/argue/fixed_order.h"
#include "engine/argue/known_order.h"
#include "engine/argue/proof_log.h"
#include "engine/graph/incremental_order.h"
#include "engine/solve/sat_solver.h"

namespace elapid::argue {

/// Borrows all.
class ChosenOrder {
 public:
  ChosenOrder(const FixedOrder& fixed, std::span<const OrderEvent> first_guess,
              const SatSolver& sat, ProofLog& log);
  ChosenOrder(const ChosenOrder&) = delete;
  ChosenOrder& operator=(const ChosenOrder&) = delete;

  /// Adds a choice: as Theory::assign().
  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict);
  /// Undoes the last choice.
  void retract();

  /// Edges of the order looked at so far.
  [[nodiscard]] std::uint64_t looked() const { return order_.work(); }

  /// A topological order of all vertices.
  [[nodiscard]] std::span<const std::uint32_t> vertices() const { return order_.order(); }

  [[nodiscard]] std::uint32_t position(OrderEvent event) const {
    return order_.position(fixed_.vertex(event));
  }

  /// The certain part of the order.
  [[nodiscard]] KnownOrder& known() { return known_; }

 private:
  std::uint32_t explain(FixedOrder::Edge edge, Literal literal, std::vector<Literal>& conflict);

  const FixedOrder& fixed_;
  const SatSolver& sat_;
  ProofLog& log_;
  std::vector<std::uint32_t> first_order_;
  IncrementalOrder order_;
  KnownOrder known_;
  std::vector<Literal> brought_;             // literals that brought an edge
  std::vector<std::size_t> brought_before_;  // by literal told
};

}  // namespace elapid::argue
