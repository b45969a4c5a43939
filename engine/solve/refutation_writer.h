// Proofs that no order exists, step by step, from the results of saturation and search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/solve/core_search.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/solve/saturation.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Writes one refutation. Each inferred edge or exclusion that the proof needs becomes a clause.
/// Its reason is the cycle that its negation would close, found again as a shortest path of earlier
/// edges: O(edges) a clause.
class RefutationWriter {
 public:
  /// `saturation` is null if it did not run.
  RefutationWriter(const OrderProblem& problem, const OrderGraph& graph,
                   const Saturation* saturation);

  /// The edges of a shortest cycle, by their numbers. Requires a cyclic graph.
  [[nodiscard]] std::vector<std::uint32_t> find_cycle() const;

  /// The cycle as edges between transactions.
  [[nodiscard]] std::vector<OrderEdge> transactions_of(std::span<const std::uint32_t> cycle) const;

  /// Refutes by a cycle of edges that all hold.
  [[nodiscard]] Refutation refute_by_cycle(std::span<const std::uint32_t> cycle);

  /// Refutes by a read without a candidate.
  [[nodiscard]] Refutation refute_by_read(std::uint32_t read);

  /// Refutes by a key's list with a position that no transaction can cover.
  [[nodiscard]] Refutation refute_by_list(KeyId key);

  /// Refutes by the contradiction in the search of a core, which has these `open_reads`.
  [[nodiscard]] Refutation refute_by_search(const CoreResult& core,
                                            std::span<const std::uint32_t> open_reads);

 private:
  using Path = std::vector<std::uint32_t>;  // numbers of edges

  [[nodiscard]] Path path(std::uint32_t from, std::uint32_t to, std::uint32_t edge_limit) const;
  [[nodiscard]] std::vector<OrderEdge> to_order_edges(std::span<const CoreEdge> cycle) const;
  [[nodiscard]] OrderEdge to_order_edge(const EventEdge& edge) const;
  /// The transaction of an event; none() for versions and instants.
  [[nodiscard]] TxnId txn_at(std::uint32_t vertex) const;
  [[nodiscard]] OrderEdge to_list_edge(const EventEdge& edge) const;
  [[nodiscard]] TxnId likely_writer(const ListPlaces::Reading& reading) const;

  void need(std::span<const std::uint32_t> edges);
  void need_read(std::uint32_t read);
  void need_read_of(TxnId txn, KeyId key);
  void need_list(KeyId key);
  void need_participation(std::uint32_t txn);
  void justify_misplacement(const Misplacement& misplacement);
  Refutation finish(std::vector<ProofStep> last);
  void justify_edge(std::uint32_t edge);
  void justify_exclusion(const Exclusion& exclusion);
  void prove_before(std::uint32_t a, std::uint32_t b, KeyId key, std::uint32_t edge_limit);
  void prove(Choice choice, OrderEdge contrary, const Path& rest);

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  std::span<const Exclusion> exclusions_;
  std::span<const Misplacement> misplacements_;
  Adjacency edges_from_;
  Adjacency exclusions_of_;  // by read
  std::vector<bool> is_edge_needed_;
  std::vector<bool> is_read_needed_;
  std::vector<bool> is_exclusion_needed_;
  std::vector<bool> is_list_needed_;  // by key
  std::vector<ProofStep> steps_;      // last first
};

}  // namespace elapid
