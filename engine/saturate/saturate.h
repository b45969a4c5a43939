// Decides the saturable levels (models.h), soundly and completely. At these levels, from read
// committed to causal consistency, reads and sessions alone say what is visible to a read; the
// commit order does not. So everything visible is known as soon as the writer of each read is
// known, it forces edges (axioms.h has an example), and the level holds iff these form no cycle
// (Biswas and Enea, "On the Complexity of Checking Transactional Consistency", OOPSLA 2019).
#pragma once

#include <memory>
#include <optional>

#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Near linear where every read can have seen one write only (axioms.h for the exact bounds); else
/// the writers of the others are chosen by a search whose conflicts are the level's violations.
SolveResult saturate(const History& history, const SolveOptions& options);

class SharedObservations;

/// Decides levels of one history, one after the other, each as saturate() does. What levels have in
/// common is looked at once. Refers to the history.
class Saturator {
 public:
  explicit Saturator(const History& history);
  Saturator(Saturator&& other) noexcept;
  Saturator& operator=(Saturator&& other) = delete;
  ~Saturator();

  SolveResult decide(const SolveOptions& options);

  /// Gives the memory back that was kept for the next level.
  void forget();

 private:
  const History& history_;
  std::unique_ptr<SharedObservations> shared_;
};

/// A refutation of causal consistency, with session order if `options.level` has it. It holds for
/// every choice of the writers of repeated values, and of the indeterminate transactions that took
/// effect. It refutes `options.level` too, if that is stronger. For registers. An empty answer
/// proves nothing: the search ends in time near linear in operations.
std::optional<Refutation> refute_causality(const History& history, const SolveOptions& options);

}  // namespace elapid
