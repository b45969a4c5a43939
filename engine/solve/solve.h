// Decides levels that an order of events defines, soundly and completely, for any history of reads,
// writes and appends: values that repeat, aborted and indeterminate transactions, initial values.
//
// The answer is an order of the events that explains every read, or a proof that there is none.
// docs/solver.md tells the steps from the cheapest to the dearest, with the papers behind them and
// a worked example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct SolveOptions {
  OrderLevel level = {};
  /// About keys of registers; they bind the order.
  Assumptions assumptions = {};
  /// Deterministic work: edges and constraints looked at. Reaching it gives unknown.
  std::uint64_t work = 20'000'000'000;
  std::size_t threads = 1;
  /// For reachability of all events, in bytes: if that takes more, the search does without.
  std::size_t reachability = std::size_t{2} << 30;
  /// Whether a refutation is to speak of as little as possible.
  bool minimal = true;
  /// Asked now and then; returning false ends the search with unknown.
  std::function<bool()> keep_going = {};
  /// Looks for a refutation of a weaker level. It refutes this level too, and may be much cheaper
  /// to find than what saturation infers. Called if no schedule was found, with the same history
  /// and options. An empty answer says nothing.
  std::function<std::optional<Refutation>(const History& history, const SolveOptions& options)>
      refute_weaker = {};
};

/// How much was to decide, and what decided it.
struct SolveStatistics {
  std::uint64_t saturated_edges = 0;  ///< edges that followed without a choice
  std::uint64_t components = 0;       ///< independent cores in which something was open
  std::uint64_t settled_components = 0;
  std::uint64_t choices = 0;          ///< variables the search made
  std::uint64_t settled_choices = 0;  ///< of these, so that they hold or do not hold for good
  std::uint64_t conflicts = 0;
};

struct SolveResult {
  Validity validity = Validity::kUnknown;
  /// For a valid history.
  std::optional<Witness> witness = {};
  /// For an invalid history: anomalies that need no order of events (reads of values that no
  /// transaction wrote, of aborted or intermediate writes, or against own operations) ...
  std::vector<Anomaly> anomalies = {};
  /// ... or a proof that no order exists. If `ends_with_cycle`, all edges of the cycle of its last
  /// step hold in every execution.
  std::optional<Refutation> refutation = {};
  bool ends_with_cycle = false;
  std::uint64_t violations = 0;  ///< independent ones; the refutation may prove several
  std::string unknown_because = {};
  bool is_out_of_budget = false;    ///< unknown because a budget was reached
  bool lacks_reachability = false;  ///< reachability would have taken too much memory
  SolveStatistics statistics = {};
};

/// Decides the level of `options`. Where the level needs real time and the history has none, only a
/// violation of the level without real time is an answer. Polynomial, except for the search of the
/// undecided cores.
SolveResult solve(const History& history, const SolveOptions& options);

/// The same where each transaction has a level of its own (asked_levels.h): serializable, snapshot
/// isolation, prefix, causal, read atomic, cursor stability, read committed, each with session
/// order and real time or without. `options.level` does not count. Unknown, with the reason, are
/// session guarantees in a mix, assumptions about keys of registers, and a choice of writers on
/// which a weak level depends. The witness is an order of commits.
///
/// At its own level a transaction starts, which is when it reads, and commits, which is when it
/// writes: serializable at once; at snapshot isolation no other transaction commits a write of its
/// keys meanwhile; at the weak levels it only commits, each of its reads saw some version that
/// there was before, and the writers that its level makes visible to it come before the one it read
/// from. Adya's thesis (1999, section 5.5) mixes PL-1, PL-2 and PL-3 alone; the definition here
/// agrees with it on PL-2 and PL-3 and follows Bouajjani, Enea and Roman-Calvo (CAV 2025) for the
/// others.
SolveResult solve_mixed(const History& history, const TxnLevels& levels,
                        const SolveOptions& options = {});

}  // namespace elapid
