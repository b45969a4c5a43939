#include "engine/levels/workload_entailment.h"

#include "engine/levels/entailment.h"

namespace elapid {

ModelSet entailed(Model model, Workload workload) {
  const bool is_weaker = workload == Workload::kRows && model == Model::kPl299;
  return is_weaker ? entailed(Model::kPl2).set(Model::kPl299) : entailed(model);
}

ModelSet entailing(Model model, Workload workload) {
  return ModelSet::all().filter([&](Model other) { return entailed(other, workload).test(model); });
}

}  // namespace elapid
