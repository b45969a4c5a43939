#include "engine/check/object_transactions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/evidence/describe.h"
#include "engine/linearize/object_verdict.h"
#include "engine/workloads/object_claims.h"

namespace elapid {

namespace {

/// Some seconds: what takes longer would hardly end, least of all without real time.
std::uint64_t most_work(Model level) {
  return level == Model::kPlSs ? 500'000'000 : 20'000'000;
}

/// For the evidence the solver is asked, also where the inference alone finds a violation.
Result<Verdict> ask_transactions(const History& transactions, const CheckOptions& options,
                                 Model level) {
  CheckOptions general = options;
  general.models = ModelSet{level};
  general.needs_order = true;
  general.claims_in_general = false;
  general.keep_components = false;
  general.engine = Engine::kSolver;
  general.budget.solver_work = std::min(general.budget.solver_work, most_work(level));
  return check(transactions, general);
}

/// The answer about the level that was asked for.
const LevelAnswer* answer_of(const Verdict& verdict) {
  const auto is_asked = [&](const LevelAnswer& answer) {
    return verdict.checked.test(answer.model);
  };
  const auto found = std::ranges::find_if(verdict.levels, is_asked);
  return found == verdict.levels.end() || found->validity != verdict.validity ? nullptr : &*found;
}

/// What the operations have in common with transactions: their order, and what was read.
Description description_of(const History& transactions, const Verdict& verdict, Model model) {
  const std::vector<Finding> found = findings(transactions, verdict);
  Description description = found.empty() ? Description() : found.front().description;
  const bool is_sequential = model == Model::kSequential;
  description.name = is_sequential ? "not-sequential" : "not-linearizable";
  description.gloss = is_sequential ? "no order that keeps the order of each process explains what "
                                      "the operations saw"
                                    : "no order of the operations explains what they saw";
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
                      Model model, Verdict judged) {
  const LevelAnswer claim = {.model = model,
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

/// A linearizable history is sequential, if each operation has an invocation.
Verdict invalid(const History& transactions, const Verdict& found, Model model, Verdict judged) {
  settle(Validity::kInvalid, found.engine, judged);
  judged.findings = {description_of(transactions, found, model)};
  judged.not_models = ModelSet{model};
  judged.also_not_models = {Model::kPlSs};
  if (model == Model::kSequential && !linearize::lacks_invocations(transactions)) {
    judged.also_not_models.set(Model::kLinearizable);
  }
  adopt(*answer_of(found), judged);
  return judged;
}

/// What is asked of the operations; the levels of real time are one here.
Model asked(const CheckOptions& options) {
  return options.models == ModelSet{Model::kSequential} ? Model::kSequential : Model::kLinearizable;
}

}  // namespace

bool may_become_transactions(const History& history, const CheckOptions& options) {
  const bool is_strict = options.models.test(Model::kPlSs);
  const ModelSet real_time = {Model::kLinearizable, Model::kPlSs};
  return has_register_transactions(history.workload()) && !options.assumptions.elle_compat &&
         (asked(options) == Model::kSequential || (options.models & ~real_time).none()) &&
         !(is_strict && linearize::lacks_invocations(history));
}

Result<Verdict> judge_transactions(const History& history, const CheckOptions& options,
                                   const JudgeRequest& request, Verdict judged) {
  const Model model = asked(options);
  const Model level = level_of_transactions(model);
  const Result<RegisterTransactions> made = register_transactions(history, model);
  if (!made) {
    return judged;
  }
  const History& necessary = made.value().necessary;
  const History& sufficient =
      made.value().sufficient ? *made.value().sufficient : made.value().necessary;
  ELAPID_ASSIGN_OR_RETURN(Verdict found, ask_transactions(sufficient, options, level));
  if (found.validity == Validity::kValid && answer_of(found) != nullptr) {
    return valid(history, request, found, model, std::move(judged));
  }
  if (found.validity != Validity::kValid && made.value().sufficient) {
    ELAPID_ASSIGN_OR_RETURN(found, ask_transactions(necessary, options, level));
  }
  const bool is_refuted = found.validity == Validity::kInvalid && answer_of(found) != nullptr;
  return is_refuted ? invalid(necessary, found, model, std::move(judged)) : std::move(judged);
}

}  // namespace elapid
