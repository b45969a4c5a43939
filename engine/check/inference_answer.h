// What the inference and the search for cycles answer to a question.
#ifndef ELAPID_ENGINE_CHECK_INFERENCE_ANSWER_H_
#define ELAPID_ENGINE_CHECK_INFERENCE_ANSWER_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/levels/entailment.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct InferenceAnswer {
  std::vector<Anomaly> anomalies = {};
  std::vector<Component> components = {};  ///< for plots, if the options ask for them
  KnownModels known = {};
  std::optional<std::string> elle_error = {};  ///< where Elle would throw
  /// The operations are of the workload: another engine may be asked.
  bool is_understood = true;
  /// Version orders are known as far as the levels demanded need it, and all cycles were looked at:
  /// an acyclic graph is a proof (Adya 1999, chapter 4).
  bool is_total = false;
  bool is_partial = false;  ///< there were too many edges to look at all
};

/// Infers dependencies and, unless another engine was asked for, searches for cycles. What was
/// found rules models out; with total version orders all others that can be inferred hold.
[[nodiscard]] InferenceAnswer answer_by_inference(const History& history,
                                                  const CheckOptions& options,
                                                  const Question& question, Work& work);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_INFERENCE_ANSWER_H_
