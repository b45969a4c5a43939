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
  /// Assumptions about keys of registers; they restrict the order.
  Assumptions assumptions = {};
  /// Deterministic work: edges and constraints looked at. Reaching it gives unknown.
  std::uint64_t work = 20'000'000'000;
  std::size_t threads = 1;
  /// Bytes for the reachability of all events. If they do not suffice, the search does without.
  std::size_t reachability = std::size_t{2} << 30;
  /// Whether a refutation should name as few transactions as possible.
  bool minimal = true;
  /// Called now and then; returning false ends the search with unknown.
  std::function<bool()> keep_going = {};
  /// Looks for a refutation of a weaker level, which refutes this level too and may be much cheaper
  /// than saturation. Called with the same history and options if no schedule was found. An empty
  /// answer says nothing.
  std::function<std::optional<Refutation>(const History& history, const SolveOptions& options)>
      refute_weaker = {};
};

/// The number of open choices, and how they were decided.
struct SolveStatistics {
  std::uint64_t saturated_edges = 0;  ///< edges that followed without a choice
  std::uint64_t components = 0;       ///< independent cores in which something was open
  std::uint64_t settled_components = 0;
  std::uint64_t choices = 0;          ///< variables of the search
  std::uint64_t settled_choices = 0;  ///< variables that the search decided for good
  std::uint64_t conflicts = 0;
};

struct SolveResult {
  Validity validity = Validity::kUnknown;
  /// The order, if the history is valid.
  std::optional<Witness> witness = {};
  /// If the history is invalid: anomalies that need no order of events (reads of unwritten values,
  /// of aborted or intermediate writes, or contradictions to own operations) ...
  std::vector<Anomaly> anomalies = {};
  /// ... or a proof that no order exists. `ends_with_cycle`: its last step is a cycle of edges that
  /// all hold in every execution.
  std::optional<Refutation> refutation = {};
  bool ends_with_cycle = false;
  std::uint64_t violations = 0;  ///< independent violations; the refutation may prove several
  std::string unknown_because = {};
  bool is_out_of_budget = false;    ///< unknown because a budget was reached
  bool lacks_reachability = false;  ///< reachability would have taken too much memory
  SolveStatistics statistics = {};
};

/// Decides the level of `options`. If the level needs real time and the history has none, the
/// answer is unknown, unless the history violates the level without real time. Polynomial, except
/// for the search of the undecided cores.
SolveResult solve(const History& history, const SolveOptions& options);

/// The same if each transaction has a level of its own (asked_levels.h): serializable, snapshot
/// isolation, prefix, causal, read atomic, cursor stability or read committed, each with or without
/// session order and real time. Ignores `options.level`. Unknown, with the reason, for session
/// guarantees in a mix, for assumptions about keys of registers, and if a weak level depends on a
/// choice of writers. The witness is an order of commits.
///
/// A transaction reads at its start and writes at its commit, as its own level demands.
/// Serializable: both are one moment. Snapshot isolation: between them no other transaction commits
/// a write of its keys. Weak levels: a commit only. Each read saw an earlier version, and the
/// writers that the level makes visible precede the writer that was read from.
///
/// Adya's thesis (1999, section 5.5) mixes PL-1, PL-2 and PL-3 alone; the definition here agrees
/// with it on PL-2 and PL-3 and follows Bouajjani, Enea and Roman-Calvo (CAV 2025) for the others.
SolveResult solve_mixed(const History& history, const TxnLevels& levels,
                        const SolveOptions& options = {});

}  // namespace elapid
