// The answer of an engine to a question: the models that hold, those that are violated, those that
// stay open with the reasons, and the evidence. All engines answer this way; none knows another.
//
// Example: is a write skew serializable? The solver answers with serializable, and all models that
// imply it, in `known.refuted()`; with a violation that has the cycle to show; and with a level
// that has the proof to certify. The inference answers with the anomaly G2-item.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/levels/entailment.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The evidence against a violated model.
struct OrderViolation {
  Model model = Model::kPl3;
  Anomaly anomaly;
};

struct Answer {
  /// The engine's name, as in Verdict::engine; empty if it decided nothing.
  std::string engine = {};

  // The decided models.
  KnownModels known = {};
  /// The reasons why asked models stayed undecided.
  std::vector<std::pair<Model, std::string>> undecided = {};
  /// The reason why the absence of violations proves nothing, for any model.
  std::optional<std::string> doubt = {};
  /// Whether all version orders that the demanded levels need are known, and all cycles were
  /// searched: then an acyclic graph is a proof (Adya 1999, chapter 4).
  bool is_total = false;
  bool is_partial = false;    ///< some edges were not searched, since there were too many
  bool is_understood = true;  ///< the operations are of the workload; else ask no other engine
  std::optional<std::string> elle_error = {};  ///< the exception that Elle would throw

  // Evidence.
  /// Shown if the question prohibits them.
  std::vector<Anomaly> anomalies = {};
  /// Each violates an asked model. The verdict shows it for that model.
  std::vector<OrderViolation> violations = {};
  /// Models decided by an order of events, with proofs.
  std::vector<LevelAnswer> levels = {};
  std::vector<Component> components = {};  ///< for plots, if the options ask for them
  std::vector<std::string> warnings = {};

  // For the timestamps' engine only, which judges one order. A model that `known` proves holds by
  // any order. A violated model is violated by that order.
  bool believes_timestamps = false;
  /// The models that the order violates. Nothing follows for models that imply them.
  ModelSet violated_in_time = {};
  std::optional<TimestampCounts> timestamps = {};
};

}  // namespace elapid
