// Predictions in words and as a map: where each session stops, which reads changed, and the
// anomaly.
//
//   session 2 stops after its transaction 1 of 1, which reads
//     x = nil, from the initial state (observed: 1, from session 1, transaction 1)
//
// A prediction is never a verdict about the history: it did not happen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "adapter/cli/commands/predict/predicted.h"
#include "adapter/elle/document_writer.h"
#include "engine/ir/history.h"
#include "engine/predict/predict.h"

namespace elapid {

struct PredictAnswer {
  std::string path = {};
  PredictLevels levels = {};
  predict::BoundaryKind boundary = predict::BoundaryKind::kRelaxed;
  std::vector<Predicted> predictions = {};  ///< ranked
  bool is_complete = false;                 ///< none with other contradicting transactions is left
  std::string unknown_because = {};         ///< if it is not complete
  std::uint64_t orders = 0;                 ///< Predictor::orders()
  std::size_t from_observed = 0;            ///< transactions
  std::vector<std::string> assumes = {};    ///< a sentence each
};

/// Names of transactions of the observation, by number: users' names of programs. Empty: none.
using ProgramNames = std::vector<std::string>;

/// By pair of names: in how many predictions a boundary transaction contradicts a transaction whose
/// write it does not see; most frequent first. There a developer could add a lock.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>> dangerous_pairs(
    const History& observed, const predict::Observation& observation, const PredictAnswer& answer,
    const ProgramNames& names);

[[nodiscard]] std::string prediction_text(const History& observed,
                                          const predict::Observation& observation,
                                          const PredictAnswer& answer, const ProgramNames& names);

/// Keys: docs/predict.md.
[[nodiscard]] std::string prediction_map(const History& observed,
                                         const predict::Observation& observation,
                                         const PredictAnswer& answer, const ProgramNames& names,
                                         Syntax syntax);

}  // namespace elapid
