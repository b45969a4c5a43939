#include "engine/workloads/object_claims.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/workloads/add_remove_set/add_remove_set.h"
#include "engine/workloads/cas_register/cas_register.h"
#include "engine/workloads/containers/containers.h"
#include "engine/workloads/counter/counter.h"
#include "engine/workloads/fetch_and_add/fetch_and_add.h"
#include "engine/workloads/grow_only_set/grow_only_set.h"
#include "engine/workloads/kv/kv.h"
#include "engine/workloads/multi_register/multi_register.h"
#include "engine/workloads/mutex/mutex.h"
#include "engine/workloads/table.h"
#include "engine/workloads/unique_ids/unique_ids.h"

namespace elapid {

namespace {

struct Prover {
  std::string_view workload;
  Result<Verdict> (*prove)(const History&, const JudgeRequest&, const LevelAnswer&);
};

constexpr std::array kProvers = {
    Prover{"add-remove-set", prove_add_remove_set},
    Prover{"cas-register", prove_cas_register},
    Prover{"counter", prove_counter},
    Prover{"fetch-and-add", prove_fetch_and_add},
    Prover{"fifo-queue", prove_fifo_queue},
    Prover{"grow-only-set", prove_grow_only_set},
    Prover{"kv", prove_kv},
    Prover{"multi-register", prove_multi_register},
    Prover{"mutex", prove_mutex},
    Prover{"priority-queue", prove_priority_queue},
    Prover{"stack", prove_stack},
    Prover{"unique-ids", prove_unique_ids},
    Prover{"unordered-queue", prove_unordered_queue},
};

}  // namespace

bool has_object_claims(Workload workload, Model model) {
  return row_of(workload).models.test(model) &&
         std::ranges::find(kProvers, workload.name(), &Prover::workload) != kProvers.end();
}

Result<Verdict> prove_objects(const History& history, const JudgeRequest& request,
                              const LevelAnswer& claim) {
  const auto* const prover =
      std::ranges::find(kProvers, history.workload().name(), &Prover::workload);
  JudgeRequest of_model = request;
  of_model.models = ModelSet{claim.model};
  Result<Verdict> verdict = prover->prove(history, of_model, claim);
  const bool claims_order = claim.validity == Validity::kValid;
  const bool asks_for_real_time =
      claim.model == Model::kLinearizable || claim.model == Model::kPlSs;
  if (verdict && claims_order != claim.witness.has_value()) {
    verdict.value().validity = Validity::kUnknown;
    verdict.value().unknown_because = claims_order
                                          ? "it claims an order and names none"
                                          : "it claims that there is no order, and names one";
  } else if (verdict && !claims_order && !asks_for_real_time) {
    verdict.value().validity = Validity::kUnknown;
    verdict.value().unknown_because =
        "a core shows that no order keeps real time, which the level does not ask for";
  }
  return verdict;
}

}  // namespace elapid
