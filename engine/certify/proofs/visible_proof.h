// Re-checks, step by step, a proof that a history violates a saturable level (models.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/certify/patience.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

class UnprovedHistory;

/// Checks proofs about one history, one after the other. Work that levels have in common is done
/// once. Refers to the history and to `keep_going`.
class VisibleProofs {
 public:
  VisibleProofs(const History& history, const std::function<bool()>& keep_going);
  VisibleProofs(const VisibleProofs&) = delete;
  VisibleProofs& operator=(const VisibleProofs&) = delete;
  ~VisibleProofs();

  /// The reason why the steps do not prove that the history violates the level, in one
  /// sentence; nothing if they do. As check_refutation(): the choices of a step's clause are
  /// assumed to be false, and unit propagation draws the consequences. Then there is a
  /// contradiction, or the edges of the step's cycle hold, and cannot all hold. A cycle
  /// consists of
  /// - edges along which commits follow one another: read-from, session order and real time if the
  ///   level has them, versions of lists, and proved orders of two transactions, which need not
  ///   write a key together (ww without a key); or of
  /// - an anti-dependency of a reader on a writer of the key, and a path from that writer back to
  ///   the reader that makes it visible to the read: then the axiom puts it before the writer read
  ///   from.
  ///
  /// Trusts nothing in the proof. Near linear in proof and history.
  [[nodiscard]] std::optional<std::string> check(OrderLevel level, const Refutation& refutation);

 private:
  const History& history_;
  Patience patience_;
  std::unique_ptr<const UnprovedHistory> unproved_;
};

}  // namespace elapid::certify
