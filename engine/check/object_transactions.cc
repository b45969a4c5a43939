#include "engine/check/object_transactions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/evidence/describe.h"
#include "engine/linearize/object_verdict.h"
#include "engine/workloads/object_claims.h"

namespace elapid {

namespace {

/// Some seconds: what takes longer would hardly end.
constexpr std::uint64_t kMostWork = 500'000'000;

/// For the evidence the solver is asked, also where the inference alone finds a violation.
Result<Verdict> ask_transactions(const History& transactions, const CheckOptions& options) {
  CheckOptions general = options;
  general.models = {Model::kPlSs};
  general.needs_order = true;
  general.claims_in_general = false;
  general.keep_components = false;
  general.engine = Engine::kSolver;
  general.budget.solver_work = std::min(general.budget.solver_work, kMostWork);
  return check(transactions, general);
}

const LevelAnswer* answer_of(const Verdict& verdict) {
  const auto found = std::ranges::find(verdict.levels, Model::kPlSs, &LevelAnswer::model);
  return found == verdict.levels.end() || found->validity != verdict.validity ? nullptr : &*found;
}

/// What the operations have in common with transactions: real time, and what was read.
Description description_of(const History& transactions, const Verdict& verdict) {
  const std::vector<Finding> found = findings(transactions, verdict);
  Description description = found.empty() ? Description() : found.front().description;
  description.name = "not-linearizable";
  description.gloss = "no order of the operations explains what they saw";
  return description;
}

void settle(Validity validity, std::string engine, Verdict& verdict) {
  verdict.validity = validity;
  verdict.engine = std::move(engine);
  verdict.complete = true;
  verdict.unknown_because.reset();
}

void adopt(const LevelAnswer& answer, Verdict& verdict) {
  verdict.levels.clear();
  for (const Model model : verdict.checked) {
    LevelAnswer& level = verdict.levels.emplace_back(answer);
    level.model = model;
  }
}

Result<Verdict> valid(const History& history, const JudgeRequest& request, const Verdict& found,
                      Verdict judged) {
  const LevelAnswer claim = {.model = Model::kLinearizable,
                             .validity = Validity::kValid,
                             .witness = Witness{.order = answer_of(found)->witness->order}};
  ELAPID_ASSIGN_OR_RETURN(const Verdict proved, prove_objects(history, request, claim));
  if (proved.unknown_because || judged.validity == Validity::kInvalid) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = "the order of the transactions did not survive verification: " +
                            proved.unknown_because.value_or("the operations have none")};
  }
  settle(Validity::kValid, found.engine, judged);
  adopt(claim, judged);
  return judged;
}

Verdict invalid(const History& transactions, const Verdict& found, Verdict judged) {
  settle(Validity::kInvalid, found.engine, judged);
  judged.findings = {description_of(transactions, found)};
  judged.not_models = {Model::kLinearizable};
  judged.also_not_models = {Model::kPlSs};
  adopt(*answer_of(found), judged);
  return judged;
}

}  // namespace

bool may_become_transactions(const History& history, const CheckOptions& options) {
  const bool is_strict = options.models.test(Model::kPlSs);
  const ModelSet real_time = {Model::kLinearizable, Model::kPlSs};
  return has_register_transactions(history.workload()) && !options.assumptions.elle_compat &&
         (options.models & ~real_time).none() &&
         !(is_strict && linearize::lacks_invocations(history));
}

Result<Verdict> judge_transactions(const History& history, const CheckOptions& options,
                                   const JudgeRequest& request, Verdict judged) {
  const Result<RegisterTransactions> made = register_transactions(history);
  if (!made) {
    return judged;
  }
  const History& necessary = made.value().necessary;
  const History& sufficient =
      made.value().sufficient ? *made.value().sufficient : made.value().necessary;
  ELAPID_ASSIGN_OR_RETURN(Verdict found, ask_transactions(sufficient, options));
  if (found.validity == Validity::kValid && answer_of(found) != nullptr) {
    return valid(history, request, found, std::move(judged));
  }
  if (found.validity != Validity::kValid && made.value().sufficient) {
    ELAPID_ASSIGN_OR_RETURN(found, ask_transactions(necessary, options));
  }
  const bool is_refuted = found.validity == Validity::kInvalid && answer_of(found) != nullptr;
  return is_refuted ? invalid(necessary, found, std::move(judged)) : std::move(judged);
}

}  // namespace elapid
