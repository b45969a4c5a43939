// Sets of models and of anomalies, named one by one.
#pragma once

#include <initializer_list>

#include "engine/levels/models.h"

namespace elapid {

inline ModelSet models_of(std::initializer_list<Model> models) {
  ModelSet set;
  for (const Model model : models) {
    set.set(model);
  }
  return set;
}

inline ModelSet only(Model model) {
  return ModelSet{model};
}

inline AnomalySet only(AnomalyType type) {
  return AnomalySet{type};
}

}  // namespace elapid
