// Which models hold, and which are violated, if others are. Beyond the lattice of models (models.h)
// it has the implications that hold if all operations are on items.
#pragma once

#include "engine/levels/models.h"

namespace elapid {

/// The decided models of a history. Both sets are closed under the implications.
class KnownModels {
 public:
  /// `models` hold, and so does all that they entail.
  void prove(ModelSet models);

  /// `models` are violated, and so is all that entails one of them.
  void refute(ModelSet models);

  [[nodiscard]] const ModelSet& proven() const { return proven_; }

  [[nodiscard]] const ModelSet& refuted() const { return refuted_; }

  [[nodiscard]] ModelSet decided() const { return proven_ | refuted_; }

  [[nodiscard]] bool is_decided(Model model) const { return decided().test(model); }

 private:
  ModelSet proven_;
  ModelSet refuted_;
};

/// The models that hold wherever `model` does, itself included: those that the lattice has, those
/// that demand the same or less of items, and the models that these entail in turn.
[[nodiscard]] ModelSet entailed(Model model);

/// The same for a set: the models that any of `models` entails.
[[nodiscard]] ModelSet entailed(ModelSet models);

/// The models that cannot hold if `model` does not, itself included.
[[nodiscard]] ModelSet entailing(Model model);

/// Whether only answers about other models decide this one, by entailment.
[[nodiscard]] bool is_decided_by_others(Model model);

}  // namespace elapid
