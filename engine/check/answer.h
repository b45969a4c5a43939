// What an engine answers to a question: what holds, what is violated, what it leaves open and why,
// and its evidence. All engines answer in these terms, and none knows of another.
//
// Example: the solver, asked for serializability of a write skew, gives `known.refuted()` with
// serializable and all that entails it, a violation with the cycle to be shown, and a level with
// the proof to be certified. The inference, asked the same, gives the anomaly G2-item instead.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/levels/entailment.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// What violates a model that does not hold.
struct OrderViolation {
  Model model = Model::kPl3;
  Anomaly anomaly;
};

struct Answer {
  /// Who answers, as in Verdict::engine; empty if it decided nothing.
  std::string engine = {};

  // What holds.
  KnownModels known = {};
  /// Of models that stayed undecided although they were asked for, why.
  std::vector<std::pair<Model, std::string>> undecided = {};
  /// Why nothing follows from finding no violation, whatever the model.
  std::optional<std::string> doubt = {};
  /// Version orders are known as far as the levels demanded need it, and all cycles were looked at:
  /// an acyclic graph is a proof (Adya 1999, chapter 4).
  bool is_total = false;
  bool is_partial = false;    ///< there were too many edges to look at all
  bool is_understood = true;  ///< the operations are of the workload: others may be asked
  std::optional<std::string> elle_error = {};  ///< where Elle would throw

  // Evidence.
  /// Shown where the question prohibits them.
  std::vector<Anomaly> anomalies = {};
  /// Each shown because it violates a model that was asked for.
  std::vector<OrderViolation> violations = {};
  /// Models decided by an order of events, with proofs.
  std::vector<LevelAnswer> levels = {};
  std::vector<Component> components = {};  ///< for plots, if the options ask for them
  std::vector<std::string> warnings = {};

  // Of the timestamps' engine alone, which tells whether one order is allowed. That `known` proves
  // a model is true of all orders; what is violated is violated by that order.
  bool believes_timestamps = false;
  /// The models that the order violates. Nothing follows for those that entail them.
  ModelSet violated_in_time = {};
  std::optional<TimestampCounts> timestamps = {};
};

}  // namespace elapid
