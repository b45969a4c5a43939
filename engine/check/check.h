// The public door of the engine: a history and options in, a verdict out.
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

/// What may answer.
enum class Engine : std::uint8_t {
  kAuto,        ///< inference, and where it leaves something open, the solver
  kElle,        ///< inference alone
  kSolver,      ///< single reads, then the solver: levels that an order of events defines
  kSaturation,  ///< single reads, then what they force: saturable levels
  kSearch,      ///< single reads, then all orders, tried: the solver's levels, as a second opinion
  kTimestamps,  ///< the order that the database's timestamps give: snapshot isolation and
                ///< serializability, with sessions and real time or without
};

/// Limits of the search for cycles. Reaching one gives unknown, or leaves a class of cycles
/// unreported, never a wrong verdict.
struct Budget {
  /// Edge visits a component; deterministic.
  std::uint64_t edge_visits = 50'000'000;
  /// Wall-clock milliseconds a component; 0: none (the default, so that answers do not vary).
  std::uint64_t milliseconds = 0;
  /// Edges and constraints that the solver looks at, a level and undecided component;
  /// deterministic.
  std::uint64_t solver_work = 20'000'000'000;
  /// Configurations made and compared in a search for an order of single operations, an object;
  /// deterministic.
  std::uint64_t linearize_work = 1'000'000'000;
  /// Bytes for the reachability of all events; the solver does without if it takes more.
  std::size_t reachability = std::size_t{2} << 30;
};

/// What the caller calls its limits and options, for messages.
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
  /// Models demanded (canonical); none is allowed.
  ModelSet models = {};
  /// Instead of models, each transaction is held to the level that the history says it asked for
  /// (History::levels()).
  bool by_transaction = false;
  /// Further anomalies that make the history invalid.
  AnomalySet anomalies = {};
  /// Key assumptions, transaction order and compatibility with Elle.
  Assumptions assumptions = {};
  Engine engine = Engine::kAuto;
  /// Ask the solver in any case, for its evidence.
  bool needs_order = false;
  /// Of a workload with a judge that the user did not name: what the general engines say of its
  /// transactions counts, too, if it is invalid (GeneralClaim). It is then the verdict, with the
  /// judge's entries.
  bool claims_in_general = false;
  /// Decide each model demanded by itself, although others are violated (Verdict::ladder). Evidence
  /// is then given of the weakest that are violated.
  bool each_model = false;
  /// For kTimestamps: by how much two clocks may differ, in units of the timestamps' physical part.
  std::int64_t clock_skew = 0;
  /// For kTimestamps: where timestamps are violated, ask the solver whether the levels hold.
  bool cross_check = false;
  /// Of workloads with compare-and-set.
  FailedCas failed_cas = FailedCas::kUnsaid;
  WorkloadSettings settings = {};
  Budget budget = {};
  /// For the solver's components; the answer does not depend on it.
  std::size_t threads = 1;
  /// Make refutations speak of as little as possible. Without that the answer is the same and comes
  /// sooner, but its evidence is longer, and may name a weaker class of cycles.
  bool minimal_proofs = true;
  /// Re-check all evidence (engine/certify). A failure is an internal error, or a warning where
  /// elle_compat reproduces a quirk.
  bool certify = true;
  /// Keep the non-trivial components of the dependency graph in the verdict, for plots.
  bool keep_components = false;
  /// Called between and within stages with the stage's name; returning false stops the check with
  /// an error.
  std::function<bool(std::string_view stage)> progress = {};
  /// Asked often while something is searched for; returning false gives unknown, because of
  /// `spent_budget`.
  std::function<bool()> has_budget = {};
  std::string spent_budget = {};
  /// Asked while evidence is certified, also after the budget was spent; returning false gives
  /// unknown, because of `spent_budget`, whatever was found: nothing is told uncertified.
  std::function<bool()> may_certify = {};
  OptionWords words = {};
};

/// Decides whether `history` satisfies all models demanded. Near linear in operations and edges,
/// but for the search for cycles, which has a budget. Error: kUsage for a model that the engine
/// asked for does not check (never with elle_compat, which answers as Elle), kInternal if evidence
/// does not survive certification. Where the system grants no more memory the verdict is unknown.
Result<Verdict> check(const History& history, const CheckOptions& options);

}  // namespace elapid
