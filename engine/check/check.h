// The public door of the engine: from a history and options to a verdict.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The engine that answers.
enum class Engine : std::uint8_t {
  kAuto,        ///< inference; then the solver, if a model is open
  kElle,        ///< inference alone
  kSolver,      ///< single reads, then the solver: levels that an order of events defines
  kSaturation,  ///< single reads, then the orders that they force: saturable levels
  kSearch,      ///< single reads, then all orders: the solver's levels, as a second opinion
  kTimestamps,  ///< the order that the database's timestamps give: snapshot isolation and
                ///< serializability, with sessions and real time or without
};

/// Limits of the search for cycles. At a limit the verdict is unknown, or a class of cycles is not
/// reported. The verdict is never wrong.
struct Budget {
  /// The most edge visits a component; deterministic.
  std::uint64_t edge_visits = 50'000'000;
  /// Wall-clock milliseconds a component; 0: none (the default, so that answers do not vary).
  std::uint64_t milliseconds = 0;
  /// The most edges and constraints that the solver looks at, for a level and an undecided
  /// component; deterministic.
  std::uint64_t solver_work = 20'000'000'000;
  /// The most configurations in a search for an order of the single operations on one object;
  /// deterministic.
  std::uint64_t linearize_work = 1'000'000'000;
  /// Bytes for the reachability of all events. If they do not suffice, the solver does without.
  std::size_t reachability = std::size_t{2} << 30;
};

/// The caller's names of its limits and options, for messages.
struct OptionWords {
  std::string_view edge_visits = "the edge visits";
  std::string_view milliseconds = "the milliseconds of a component";
  std::string_view solver_work = "the solver's work";
  std::string_view memory = "limit of memory";
  std::string_view clock_skew = "the clock skew";
  std::string_view linearizable_keys = "linearizability of keys";
  std::string_view elle_compat = "compatibility with Elle";
  std::string_view workload = "the workload asked for";
};

struct CheckOptions {
  /// Demanded models (canonical); may be empty.
  ModelSet models = {};
  /// Instead of models: each transaction must satisfy the level that it asked for
  /// (History::levels()).
  bool by_transaction = false;
  /// Further anomalies that make the history invalid.
  AnomalySet anomalies = {};
  /// Key assumptions, transaction order and compatibility with Elle.
  Assumptions assumptions = {};
  Engine engine = Engine::kAuto;
  /// Whether to ask the solver even if it is not needed, for its evidence.
  bool needs_order = false;
  /// For a workload with a judge that the user did not name. If the general engines find its
  /// transactions invalid, that is the verdict, with the judge's entries (GeneralClaim). Otherwise
  /// the verdict is the judge's.
  bool claims_in_general = false;
  /// Whether to decide each demanded model by itself, even if others are violated
  /// (Verdict::ladder). The evidence is then against the weakest violated models.
  bool each_model = false;
  /// For kTimestamps: the most that two clocks differ, in units of the timestamps' physical part.
  std::int64_t clock_skew = 0;
  /// For kTimestamps: whether to ask the solver about the levels if timestamps are violated.
  bool cross_check = false;
  /// For workloads with compare-and-set.
  FailedCas failed_cas = FailedCas::kUnsaid;
  WorkloadSettings settings = {};
  Budget budget = {};
  /// Threads for the solver's components. The answer does not depend on their number.
  std::size_t threads = 1;
  /// Whether to make refutations as small as possible. Otherwise the same answer comes sooner, but
  /// its evidence is longer and may name a weaker class of cycles.
  bool minimal_proofs = true;
  /// Whether to re-check all evidence (engine/certify). A failure is an internal error; with
  /// elle_compat, which reproduces quirks of Elle, it is a warning.
  bool certify = true;
  /// Whether the verdict keeps the non-trivial components of the dependency graph, for plots.
  bool keep_components = false;
  /// Called between and within stages with the stage's name. If it returns false, the check stops
  /// with an error.
  std::function<bool(std::string_view stage)> progress = {};
  /// Called often during searches. If it returns false, the verdict is unknown, because of
  /// `spent_budget`.
  std::function<bool()> has_budget = {};
  std::string spent_budget = {};
  /// Called while evidence is certified, also after the budget is spent. If it returns false, the
  /// verdict is unknown, because of `spent_budget`, and has no uncertified findings.
  std::function<bool()> may_certify = {};
  OptionWords words = {};
};

/// Decides whether `history` satisfies all demanded models. Near linear in operations and edges,
/// except for the search for cycles, which has a budget. Errors: kUsage for a model that the chosen
/// engine does not check (never with elle_compat, which answers as Elle); kInternal if evidence
/// fails certification. If the system grants no more memory, the verdict is unknown.
Result<Verdict> check(const History& history, const CheckOptions& options);

}  // namespace elapid
