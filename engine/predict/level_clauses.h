// The demands of a level on an execution, as clauses over edges between events. The writers of
// reads are still open.
//
// Serializable: if t reads x from w, any other writer v of x comes before w or after t:
//
//   not (t reads x from w)  or  not (v writes x)  or  v -> w  or  t -> v
//
// Prefix consistency and snapshot isolation are the same with a start, which reads, and a commit,
// which writes (Cerone, Bernardi, Gotsman, CONCUR 2015). At read committed, read atomic and causal
// consistency a v that is visible to t comes before w (Biswas and Enea, OOPSLA 2019, figure 2);
// visibility follows from the writers of reads. No transaction happens after a boundary
// transaction, so the transactions before it depend only on its own reads. Session order always
// counts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/graph/incremental_order.h"
#include "engine/levels/models.h"
#include "engine/predict/observation.h"
#include "engine/predict/order_theory.h"
#include "engine/solve/sat_solver.h"

namespace elapid::predict {

/// That a read, event `event` of `txn`, reads from `writer`, if `holds` does.
struct ReadFact {
  std::uint32_t txn = 0;
  std::uint32_t event = 0;
  KeyId key = {};
  std::uint32_t writer = kInitial;
  Literal holds = {};
  bool is_whole = false;    ///< all facts of the transaction with this mark hold together
  bool is_changed = false;  ///< it shows something else than observed
};

/// That `txn` takes part and its write of `key` is kept.
struct WriteFact {
  std::uint32_t txn = 0;
  KeyId key = {};
  Literal holds = {};
};

/// That reads of lists show the first writer of a key before the second one.
struct VersionFact {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  Literal holds = {};
};

/// All possible facts of an execution. A solver decides which hold.
struct Facts {
  std::vector<ReadFact> reads = {};    ///< by transaction, in program order
  std::vector<WriteFact> writes = {};  ///< by transaction
  std::vector<VersionFact> versions = {};
};

/// Happens-before of the observation: reads-from and session order, closed.
class HappensBefore {
 public:
  explicit HappensBefore(const Observation& observation);

  [[nodiscard]] bool precedes(std::uint32_t first, std::uint32_t second) const {
    return before_[second][first];
  }

 private:
  std::vector<std::vector<bool>> before_;
};

/// The vertex of a transaction is its number; at levels with starts and commits, twice the number,
/// and one more.
[[nodiscard]] std::uint32_t vertex_count(const Observation& observation, Visibility level);

[[nodiscard]] constexpr std::uint32_t start_of(Visibility level, std::uint32_t txn) {
  return has_two_events(level) ? 2 * txn : txn;
}

[[nodiscard]] constexpr std::uint32_t commit_of(Visibility level, std::uint32_t txn) {
  return has_two_events(level) ? 2 * txn + 1 : txn;
}

/// Session order, and starts before commits.
[[nodiscard]] std::vector<IncrementalOrder::Edge> session_edges(const Observation& observation,
                                                                Visibility level);
/// The vertices in the order of these transactions.
[[nodiscard]] std::vector<std::uint32_t> vertices_of(const std::vector<std::uint32_t>& txns,
                                                     Visibility level);

/// Adds the level's clauses over the facts to `sat`. O(facts of a key squared), times transactions
/// at causal consistency.
void demand_level(const Observation& observation, const HappensBefore& happens_before,
                  const Facts& facts, Visibility level, OrderTheory& theory, SatSolver& sat);

/// Calls `visit(writer, condition)` for each writer of the fact's key that is visible to its reader
/// under the condition, at kReadCommitted, kReadAtomic or kCausal. Without a condition: if the fact
/// holds. May visit a writer several times.
template <class Visit>
void each_visible(const Observation& observation, const HappensBefore& happens_before,
                  std::span<const ReadFact> of_txn, const ReadFact& fact, Visibility level,
                  Visit visit) {
  const auto precedes = [&](std::uint32_t first, std::uint32_t second) {
    return level == Visibility::kCausal && happens_before.precedes(first, second);
  };
  for (const std::uint32_t v : observation.writers[fact.key.index()]) {
    if (v == fact.writer || v == fact.txn) {
      continue;
    }
    const std::uint32_t before = observation.txns[fact.txn].before;
    const bool in_session = level != Visibility::kReadCommitted &&
                            observation.txns[v].session == observation.txns[fact.txn].session &&
                            v < fact.txn;
    if (in_session || (before != kInitial && precedes(v, before))) {
      visit(v, std::optional<Literal>());
      continue;
    }
    for (const ReadFact& other : of_txn) {
      const bool counts = level != Visibility::kReadCommitted || other.event < fact.event;
      if (counts && other.is_whole == fact.is_whole && other.writer != kInitial &&
          (other.writer == v || precedes(v, other.writer))) {
        const bool is_same = other.holds == fact.holds;
        if (is_same || other.event != fact.event) {
          visit(v, is_same ? std::optional<Literal>() : std::optional(other.holds));
        }
      }
    }
  }
}

}  // namespace elapid::predict
