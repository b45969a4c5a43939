// The answer of a check: a verdict with its evidence. Pure data, without any printing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
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

/// A strongly connected component of the dependency graph, with one step for each edge; for plots.
struct Component {
  std::vector<TxnId> txns;
  std::vector<Step> edges;
};

/// The assumptions of the verdict; certify re-checks evidence under the same assumptions.
struct Assumptions {
  bool wfr_keys = false;
  bool sequential_keys = false;
  bool linearizable_keys = false;
  /// By completion index: the transaction's place in a given order; empty if no order is given.
  std::vector<std::pair<std::int64_t, std::int64_t>> transaction_order = {};
  /// An order is given that has no transaction. To Elle it orders writers all the same.
  bool order_is_empty = false;
  bool elle_compat = false;

  /// Whether any order of versions or transactions is assumed.
  [[nodiscard]] bool order_something() const {
    return wfr_keys || sequential_keys || linearizable_keys || !transaction_order.empty();
  }
};

/// The answer of the solver, or of a search, about one level.
struct LevelAnswer {
  Model model = Model::kPl3;
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};  ///< of a valid history
  std::optional<Refutation> refutation =
      {};  ///< of an invalid one, unless an anomaly alone shows it
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one that was only searched
  /// For a saturable level: the number of independent violations, shown or not.
  std::uint64_t violations = 0;
};

/// The answer if each transaction asks for a level of its own.
struct MixAnswer {
  /// By model: the number of transactions that ask for it and took effect, or may have.
  std::vector<std::pair<Model, std::uint64_t>> counts = {};
  std::optional<Witness> witness = {};  ///< of a valid history: a commit order
  std::optional<Refutation> refutation =
      {};  ///< of an invalid one, unless an anomaly alone shows it
};

/// Many small values, such as the reads of a counter with their bounds.
using NumberLists = std::vector<std::vector<std::int64_t>>;

/// An entry of the result of a workload without levels.
struct ResultEntry {
  std::string key;  ///< without a colon
  std::variant<std::int64_t, std::string, NumberLists, ResultValue> value;
};

struct Verdict {
  Validity validity = Validity::kValid;
  /// The validity of levels and claims alone. Set if too few operations succeeded: validity is then
  /// kInvalid.
  std::optional<Validity> of_claims = {};
  /// Reportable anomalies, grouped by type in the order of their names, deterministic within a
  /// type.
  std::vector<Anomaly> anomalies = {};
  /// The weakest models that the anomalies refute, and the stronger ones refuted with them.
  ModelSet not_models = {};
  ModelSet also_not_models = {};
  /// The demanded models.
  ModelSet checked = {};
  /// The exception that Elle would throw, with its reason; nothing if Elle would not throw. With
  /// it, validity is kUnknown unless a violation was found.
  std::optional<std::string> elle_error = {};
  /// Why validity is unknown: the budget that was reached, or the reason in words.
  std::optional<std::string> unknown_because = {};
  std::string engine = "elle";
  /// Whether the verdict is proven. If each model was to be decided by itself: also whether each
  /// model is decided.
  bool complete = false;
  Assumptions assumptions = {};
  /// Evidence that failed certification under --elle-compat, one sentence each.
  std::vector<std::string> warnings = {};
  /// The levels that a search for an order of events decided, each with its evidence.
  std::vector<LevelAnswer> levels = {};
  /// The answer for levels by transaction (CheckOptions::by_transaction).
  std::optional<MixAnswer> mix = {};
  /// The demanded models, each after the models that it implies; filled on request only.
  std::vector<Standing> ladder = {};
  /// For a workload without levels: its findings, and its result, in the order of Jepsen's checker
  /// of the workload.
  std::vector<Description> findings = {};
  std::vector<ResultEntry> entries = {};
  /// The counts of the timestamps' engine.
  std::optional<TimestampCounts> timestamps = {};
  /// The solver's answer on the same levels, without timestamps; on request only.
  std::optional<Validity> cross_check = {};
  /// Non-trivial components of the dependency graph; filled on request only.
  std::vector<Component> components = {};
};

/// The types of these anomalies.
[[nodiscard]] inline AnomalySet types_of(const std::vector<Anomaly>& anomalies) {
  AnomalySet types;
  for (const Anomaly& anomaly : anomalies) {
    types.set(anomaly.type);
  }
  return types;
}

/// The validity of levels and claims, whatever share of the operations succeeded.
[[nodiscard]] inline Validity validity_of_claims(const Verdict& verdict) {
  return verdict.of_claims.value_or(verdict.validity);
}

/// The names of the anomalies and findings, sorted, each once.
[[nodiscard]] inline std::set<std::string, std::less<>> names_found(const Verdict& verdict) {
  std::set<std::string, std::less<>> names;
  for (const Description& finding : verdict.findings) {
    names.insert(finding.name);
  }
  for (const Anomaly& anomaly : verdict.anomalies) {
    names.emplace(name(anomaly.type));
  }
  return names;
}

}  // namespace elapid
