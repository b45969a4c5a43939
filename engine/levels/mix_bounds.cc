#include "engine/levels/mix_bounds.h"

#include "engine/levels/workload_entailment.h"

namespace elapid {

ModelSet below_mix(ModelSet asked, Workload workload) {
  if (asked.none() || (asked.test(Model::kPl1) && asked.count() > 1)) {
    return {};
  }
  ModelSet below = ModelSet::all();
  for (const Model model : asked) {
    below = below & entailed(model, workload);
  }
  return below;
}

ModelSet above_mix(ModelSet asked, Workload workload) {
  return ModelSet::all().filter(
      [&](Model level) { return (asked & ~entailed(level, workload)).none(); });
}

}  // namespace elapid
