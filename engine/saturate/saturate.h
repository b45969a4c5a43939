// Decides the saturable levels (models.h), soundly and completely. At these levels, from read
// committed to causal consistency, reads and sessions alone determine the transactions visible to a
// read; the commit order does not matter. If the writer of each read is known, all visible ones
// are. They force edges (axioms.h has an example). The level holds iff these form no cycle (Biswas
// and Enea, "On the Complexity of Checking Transactional Consistency", OOPSLA 2019).
#pragma once

#include <memory>
#include <optional>

#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Near linear if every read has one possible write (axioms.h has the exact bounds). Else a search
/// chooses the other writers; its conflicts are the level's violations.
SolveResult saturate(const History& history, const SolveOptions& options);

class SharedObservations;

/// Decides levels of one history one after another, each as saturate() does. The common part of the
/// levels is computed once. Refers to the history.
class Saturator {
 public:
  explicit Saturator(const History& history);
  Saturator(Saturator&& other) noexcept;
  Saturator& operator=(Saturator&& other) = delete;
  ~Saturator();

  SolveResult decide(const SolveOptions& options);

  /// Frees the memory that was kept for the next level.
  void forget();

 private:
  const History& history_;
  std::unique_ptr<SharedObservations> shared_;
};

/// A refutation of causal consistency, with session order if `options.level` has it. It holds for
/// all choices of the writers of repeated values and of the indeterminate transactions that took
/// effect. It also refutes `options.level` if that is stronger. For registers. An empty answer
/// proves nothing: the search ends in time near linear in operations.
std::optional<Refutation> refute_causality(const History& history, const SolveOptions& options);

}  // namespace elapid
