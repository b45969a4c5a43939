// The verdicts on many models at once: the strongest that hold, the weakest that are violated.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/levels/entailment.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"

namespace elapid {

/// Where a history stands with one model.
struct Standing {
  Model model = Model::kPl3;
  Validity validity = Validity::kUnknown;
  std::string unknown_because = {};
};

/// One rung a model, none before one that it entails. `undecided`: of those that were asked for and
/// stayed open, why.
[[nodiscard]] std::vector<Standing> ladder_of(
    ModelSet models, const KnownModels& known,
    std::span<const std::pair<Model, std::string>> undecided);

/// Those that no other of them entails, but for those that ask the same; of these the one that
/// proscribes something.
[[nodiscard]] ModelSet strongest_of(ModelSet models);

/// Those that entail no other of them, likewise.
[[nodiscard]] ModelSet weakest_of(ModelSet models);

/// Those among `models` that stand valid, or invalid.
[[nodiscard]] ModelSet models_that_are(Validity validity, std::span<const Standing> ladder);

}  // namespace elapid
