#include "engine/workloads/object_claims.h"

#include "engine/workloads/known_workloads.h"
#include "engine/workloads/table.h"

namespace elapid {

bool has_object_claims(Workload workload, Model model) {
  return row_of(workload).models.test(model) && row_of(workload).judge_objects != nullptr;
}

Result<Verdict> prove_objects(const History& history, const JudgeRequest& request,
                              const LevelAnswer& claim) {
  JudgeRequest of_model = request;
  of_model.models = ModelSet{claim.model};
  Result<Verdict> verdict = row_of(history.workload()).judge_objects(history, of_model, &claim);
  const bool claims_order = claim.validity == Validity::kValid;
  if (verdict && claims_order != claim.witness.has_value()) {
    verdict.value().validity = Validity::kUnknown;
    verdict.value().unknown_because = claims_order
                                          ? "it claims an order and names none"
                                          : "it claims that there is no order, and names one";
  }
  return verdict;
}

bool has_register_transactions(Workload workload) {
  return workload == multi_register_row().workload;
}

Model level_of_transactions(Model of_operations) {
  return of_operations == Model::kSequential ? Model::kStrongSessionSerializable : Model::kPlSs;
}

Result<RegisterTransactions> register_transactions(const History& history, Model model) {
  return transactions_of_multi_register(history, model != Model::kSequential);
}

}  // namespace elapid
