// Which models hold, and which are violated, if others are. Beside the lattice of models (models.h)
// it knows what follows where all operations are on items.
#pragma once

#include "engine/levels/models.h"

namespace elapid {

/// What is known of a history's models. Both sets stay closed: what follows is known too.
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

/// The models that hold wherever `model` does, itself included: those that the lattice says it
/// implies, those that ask the same of items or less, and what these entail in turn.
[[nodiscard]] ModelSet entailed(Model model);

/// The same of all of `models`.
[[nodiscard]] ModelSet entailed(ModelSet models);

/// The models that cannot hold where `model` does not, itself included.
[[nodiscard]] ModelSet entailing(Model model);

/// Whether the model is decided by those that it entails and those that entail it alone.
[[nodiscard]] bool is_decided_by_others(Model model);

}  // namespace elapid
