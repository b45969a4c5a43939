// Is there an execution of the same sessions that a weak level allows and a stronger one does not?
//
//   observed: s1: r(x, nil) w(x, 1)   s2: r(x, 1) w(x, 2)         serializable
//   answer at causal consistency:     s2: r(x, nil) w(x, 2)       a lost update
//
// Two players. A solver of clauses proposes a prediction that the weak level allows
// (prediction_space.h, level_clauses.h). A second one looks for an order that explains it at the
// target (explain()). If there is none, the prediction is an answer. Else the order becomes a
// clause that excludes all predictions that it explains (Breaches in predict.cc). If no prediction
// is left, there is none: a proof by exhaustion. IsoPredict (PLDI 2024) states the second player as
// one quantified formula, or replaces it by a sufficient condition; here the answer is exact.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/levels/models.h"
#include "engine/predict/observation.h"
#include "engine/predict/prediction.h"
#include "engine/predict/prediction_space.h"

namespace elapid::predict {

struct PredictOptions {
  Visibility level = Visibility::kCausal;   ///< allows the prediction
  Visibility target = Visibility::kSerial;  ///< does not
  BoundaryKind boundary = BoundaryKind::kRelaxed;
  std::uint64_t most_orders = 0;  ///< to learn from, a budget; 0: no limit
  bool keeps_orders = false;      ///< for explaining_orders()
  /// Asked now and then; returning false ends the search.
  std::function<bool()> keep_going = {};
};

enum class Found : std::uint8_t { kPrediction, kNone, kOutOfBudget };

/// Levels that predictions can be asked of: read committed, read atomic, causal, prefix, snapshot;
/// as targets also serializability.
[[nodiscard]] constexpr bool can_be_predicted(Visibility level) {
  return level == Visibility::kReadCommitted || level == Visibility::kReadAtomic ||
         level == Visibility::kCausal || has_two_events(level);
}

class Predictor {
 public:
  /// Refers to the observation. Requires levels of the list above.
  Predictor(const Observation& observation, PredictOptions options);
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// Looks for a prediction without any contradiction that was found before.
  Found next();

  /// The last prediction: no session can stop earlier without losing the violation. Predictions
  /// with the fewest changed reads are found first, as far as PredictionSpace::few_changes()
  /// counts.
  [[nodiscard]] const Prediction& prediction() const;

  /// The transactions of the last prediction whose reads and writes contradict one another at the
  /// target. Each is needed.
  [[nodiscard]] const std::vector<std::uint32_t>& contradicting() const;

  /// Orders that were learnt from.
  [[nodiscard]] std::uint64_t orders() const;

  /// These orders, if they are kept. After Found::kNone, with no prediction before, each execution
  /// that the level allows is explained by one of them at the target.
  [[nodiscard]] const std::vector<EventOrder>& explaining_orders() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace elapid::predict
