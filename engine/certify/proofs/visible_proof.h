// A proof that a history violates a saturable level (models.h), re-checked step by step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/certify/patience.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why the steps do not prove that the history violates the level, in one sentence; nothing where
/// they do. As check_refutation(): the choices of a step's clause are assumed to be false, what
/// follows by unit propagation is drawn, and either that is a contradiction or the edges of the
/// step's cycle hold, and cannot all. A cycle is one of
/// - edges that the commit order keeps: read-from, session order and real time as far as the level
///   has them, versions of lists, and orders of two transactions that were proved;
/// - an anti-dependency of a reader on a writer of the key, and a path from that writer back to the
///   reader by which the level makes it visible to that read: then the axiom orders the two writers
///   the other way.
///
/// Trusts nothing in the proof. Near linear in proof and history.
[[nodiscard]] std::optional<std::string> check_visible_proof(
    const History& history, OrderLevel level, const Refutation& refutation,
    const std::function<bool()>& keep_going = {});

namespace certify {

class UnprovedHistory;

/// Checks proofs about one history, one after the other, each as check_visible_proof() does. What
/// levels have in common is looked at once. Refers to the history and to `keep_going`.
class VisibleProofs {
 public:
  VisibleProofs(const History& history, const std::function<bool()>& keep_going);
  VisibleProofs(const VisibleProofs&) = delete;
  VisibleProofs& operator=(const VisibleProofs&) = delete;
  ~VisibleProofs();

  [[nodiscard]] std::optional<std::string> check(OrderLevel level, const Refutation& refutation);

 private:
  const History& history_;
  Patience patience_;
  std::unique_ptr<const UnprovedHistory> unproved_;
};

}  // namespace certify

}  // namespace elapid
