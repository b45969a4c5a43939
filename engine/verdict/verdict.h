// What a check answers: a verdict with its evidence. Pure data; knows how to print nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/levels/ladder.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/verdict/description.h"
#include "engine/verdict/evidence.h"
#include "engine/verdict/result_value.h"

namespace elapid {

/// A strongly connected component of the dependency graph with one step an edge, for plots.
struct Component {
  std::vector<TxnId> txns;
  std::vector<Step> edges;
};

/// What the verdict takes for granted; certify re-checks evidence under the same assumptions.
struct Assumptions {
  bool wfr_keys = false;
  bool sequential_keys = false;
  bool linearizable_keys = false;
  /// Completion index -> place in the order of transactions; empty if not given.
  std::vector<std::pair<std::int64_t, std::int64_t>> transaction_order = {};
  bool elle_compat = false;

  /// Whether any order of versions or transactions is assumed.
  [[nodiscard]] bool order_something() const {
    return wfr_keys || sequential_keys || linearizable_keys || !transaction_order.empty();
  }
};

/// What the solver, or a search, answered about one level.
struct LevelAnswer {
  Model model = Model::kPl3;
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};  ///< of a valid history
  std::optional<Refutation> refutation =
      {};  ///< of an invalid one, unless an anomaly alone shows it
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one that was only searched
  /// Of a saturable level: violations that are independent of one another, shown or not.
  std::uint64_t violations = 0;
};

/// What was answered where each transaction asks for a level of its own.
struct MixAnswer {
  /// How many transactions that took effect, or may have, ask for each level; by model.
  std::vector<std::pair<Model, std::uint64_t>> counts = {};
  std::optional<Witness> witness = {};  ///< of a valid history: a commit order
  std::optional<Refutation> refutation =
      {};  ///< of an invalid one, unless an anomaly alone shows it
};

/// As the reads of a counter with their bounds: many, and smaller than a ResultValue.
using NumberLists = std::vector<std::vector<std::int64_t>>;

/// An entry of the result of a workload without levels.
struct ResultEntry {
  std::string key;  ///< without a colon
  std::variant<std::int64_t, std::string, NumberLists, ResultValue> value;
};

struct Verdict {
  Validity validity = Validity::kValid;
  /// Reportable anomalies, grouped by type in the order of their names, deterministic within a
  /// type.
  std::vector<Anomaly> anomalies = {};
  /// Weakest models ruled out by what was found, and the stronger ones ruled out with them.
  ModelSet not_models = {};
  ModelSet also_not_models = {};
  /// The models that were demanded.
  ModelSet checked = {};
  /// Where Elle would have thrown: what and why. Validity is then kUnknown, unless a violation was
  /// found.
  std::optional<std::string> elle_error = {};
  /// Why unknown: the budget reached, or the reason in words.
  std::optional<std::string> unknown_because = {};
  std::string engine = "elle";
  /// Whether nothing that was asked is left open: the verdict is proven, and where each model was
  /// to be decided by itself, each of them is.
  bool complete = false;
  Assumptions assumptions = {};
  /// Evidence that did not survive certification under --elle-compat, one sentence each.
  std::vector<std::string> warnings = {};
  /// Levels that were decided by a search for an order of events, each with its evidence.
  std::vector<LevelAnswer> levels = {};
  /// Where transactions were asked for a level each (CheckOptions::by_transaction).
  std::optional<MixAnswer> mix = {};
  /// Every model demanded, none before one that it implies; filled only on request.
  std::vector<Standing> ladder = {};
  /// Of a workload without levels: what it found, and its result in order, as Jepsen's checker of
  /// the workload has it.
  std::vector<Description> findings = {};
  std::vector<ResultEntry> entries = {};
  /// What the timestamps' engine counted.
  std::optional<TimestampCounts> timestamps = {};
  /// What the solver, which believes no timestamps, says of the same levels; only on request.
  std::optional<Validity> cross_check = {};
  /// Non-trivial components of the dependency graph; filled only on request.
  std::vector<Component> components = {};
};

/// Which types of anomalies there are.
[[nodiscard]] inline AnomalySet types_of(const std::vector<Anomaly>& anomalies) {
  AnomalySet types;
  for (const Anomaly& anomaly : anomalies) {
    types.set(anomaly.type);
  }
  return types;
}

}  // namespace elapid
