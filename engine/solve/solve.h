// Decides levels that an order of events defines, soundly and completely: values that repeat,
// aborted and indeterminate transactions, initial values.
#ifndef ELAPID_ENGINE_SOLVE_SOLVE_H_
#define ELAPID_ENGINE_SOLVE_SOLVE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
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
  /// Looks for a refutation of a weaker level, which refutes this one as well and may be much
  /// cheaper to find than what saturation infers. Asked once no schedule was found, with the same
  /// history and options; nothing says nothing.
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
  /// Of a valid history.
  std::optional<Witness> witness = {};
  /// Of an invalid one: an anomaly that needs no order of events (reads of what nobody wrote, of
  /// aborted or intermediate writes, against own operations) ...
  std::vector<Anomaly> anomalies = {};
  /// ... or a proof that no order exists. If it ends with a cycle of which all edges hold in every
  /// execution, that is its last.
  std::optional<Refutation> refutation = {};
  bool ends_with_cycle = false;
  std::uint64_t violations = 0;  ///< independent ones, of which the refutation may prove several
  std::string unknown_because = {};
  bool is_out_of_budget = false;    ///< whether that is a budget that was reached
  bool lacks_reachability = false;  ///< it would have taken too much memory
  SolveStatistics statistics = {};
};

/// Saturation, then search (see docs/solver.md). Of a level that needs real time, on a history
/// without any, only a violation of its form without real time is an answer. Polynomial but for the
/// search, whose size is that of the undecided core.
SolveResult solve(const History& history, const SolveOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_SOLVE_H_
