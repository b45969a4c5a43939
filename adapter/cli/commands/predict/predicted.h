// Predictions for the user: each is a history of its own, checked by engines that do not know of
// predictions.
//
//   const Result<Predicted> shown = check_prediction(history, observation, levels, predictor);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/predict/predict.h"
#include "harness/predict/replay_store.h"

namespace elapid {

/// The levels between which an anomaly is predicted.
struct PredictLevels {
  Model level = Model::kCc;
  Model target = Model::kStrongSessionSerializable;
  std::string level_name = {};  ///< the user's name
  std::string target_name = {};
};

struct Predicted {
  predict::Prediction prediction;
  std::vector<std::uint32_t> contradicting;  ///< numbers of transactions of the observation
  std::size_t changed = 0;                   ///< reads
  std::size_t kept = 0;                      ///< transactions
  History history;
  std::vector<std::uint32_t> origins;     ///< by transaction of `history`: its observed number
  Verdict verdict;                        ///< on `history`, at the target
  std::optional<Replayed> replayed = {};  ///< by a client that ran again
};

/// The level of this name with session order, as all levels of predictions have it. Error: kUsage
/// for a level that predictions do not support.
[[nodiscard]] Result<Model> level_with_sessions(Model model, std::string_view name, bool is_target);

/// Error kInternal: the prediction's history does not satisfy the level, or it satisfies the
/// target, or its evidence does not survive certification.
[[nodiscard]] Result<Predicted> check_prediction(const History& observed,
                                                 const predict::Observation& observation,
                                                 const PredictLevels& levels,
                                                 const predict::Predictor& predictor);

}  // namespace elapid
