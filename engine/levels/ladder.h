// The answers about many models at once: the strongest that hold, the weakest that are violated.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/levels/entailment.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"

namespace elapid {

/// The answer about one model.
struct Standing {
  Model model = Model::kPl3;
  Validity validity = Validity::kUnknown;
  std::string unknown_because = {};
};

/// An answer for each model, after the answers for the models that it entails. `undecided`: the
/// reasons why asked models stayed open.
[[nodiscard]] std::vector<Standing> ladder_of(
    ModelSet models, const KnownModels& known,
    std::span<const std::pair<Model, std::string>> undecided);

/// The models that no stronger model of the set entails. Among models that demand the same it picks
/// one, preferably one that proscribes anomalies.
[[nodiscard]] ModelSet strongest_of(ModelSet models);

/// The models that entail no weaker model of the set, picked the same way.
[[nodiscard]] ModelSet weakest_of(ModelSet models);

/// The models with this validity.
[[nodiscard]] ModelSet models_that_are(Validity validity, std::span<const Standing> ladder);

}  // namespace elapid
