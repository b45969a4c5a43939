#include "engine/check/check.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/mixed_check.h"
#include "engine/check/object_transactions.h"
#include "engine/check/operation_levels.h"
#include "engine/check/question.h"
#include "engine/check/refusal.h"
#include "engine/check/rows_check.h"
#include "engine/check/transaction_check.h"
#include "engine/check/verdict_of.h"
#include "engine/ir/share_work.h"
#include "engine/linearize/object_verdict.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

JudgeRequest request_of(const CheckOptions& options) {
  return {.models = options.models,
          .elle_compat = options.assumptions.elle_compat,
          .failed_cas = options.failed_cas,
          .settings = options.settings,
          .work = options.budget.linearize_work,
          .has_budget = options.has_budget,
          .spent_budget = options.spent_budget};
}

/// The budget for an entry of a special checker's result: about a second, whichever engine answers.
/// A configuration of single operations takes as long as a hundred edges.
Budget general_budget(Budget budget) {
  constexpr std::uint64_t kEdges = 100'000'000;
  budget.edge_visits = std::min(budget.edge_visits, kEdges);
  budget.solver_work = std::min(budget.solver_work, kEdges);
  budget.linearize_work = std::min(budget.linearize_work, kEdges / 100);
  return budget;
}

/// The steps of the search for an order of operations on objects, for each operation, before
/// another engine is asked.
constexpr std::uint64_t kFirstSteps = 200;

/// The verdict of the general engines about a history that a special checker has judged.
Result<Verdict> general_verdict(const GeneralClaim& claim, const History& history,
                                CheckOptions options) {
  options.budget = general_budget(options.budget);
  const JudgeRequest request = request_of(options);
  if (claim.judge != nullptr) {
    return claim.judge(history, request);
  }
  options.models = ModelSet{claim.model};
  if (claim.transactions == nullptr) {
    return check_transactions(history, options);
  }
  // They are about keys and times of the history, not of the transactions made here.
  options.assumptions = {};
  const Result<History> transactions = claim.transactions(history, request);
  if (transactions) {
    return check_transactions(transactions.value(), options);
  }
  Verdict verdict = {.validity = Validity::kUnknown};
  verdict.unknown_because = transactions.error().message;
  return verdict;
}

/// The same as an entry of the result. The verdict remains the checker's.
ResultEntry general_entry(const GeneralClaim& claim, const Verdict& found) {
  ResultValue::Entries told = {
      {"model", ResultValue::keyword(std::string(friendly_name(claim.model)))},
      {"valid?", found.validity == Validity::kUnknown
                     ? ResultValue::keyword("unknown")
                     : ResultValue::boolean(found.validity == Validity::kValid)}};
  if (found.unknown_because) {
    told.emplace_back("cause", ResultValue::string(*found.unknown_because));
  }
  std::vector<ResultValue> types;
  for (const AnomalyType type : types_of(found.anomalies)) {
    types.push_back(ResultValue::keyword(std::string(name(type))));
  }
  if (claim.judge == nullptr && claim.has_items) {
    told.emplace_back("anomaly-types",
                      ResultValue::of_items(ResultValue::Kind::kList, std::move(types)));
  }
  return {"elapid/general", ResultValue::map(std::move(told))};
}

/// The search for an order of the operations, which is quick or takes far too long; then the
/// engines of transactions, also for a proof that can be verified; then the search once more, but
/// for its quick part: so of two that end early, the first one came further.
Result<Verdict> judge_in_turn(const WorkloadRow& row, const History& history,
                              const CheckOptions& options, JudgeRequest request) {
  const std::uint64_t work =
      std::exchange(request.work, std::min(request.work, kFirstSteps * (1 + history.txn_count())));
  const auto has = [](const Result<Verdict>& verdict, Validity validity) {
    return verdict && verdict.value().validity == validity;
  };
  Result<Verdict> verdict = row.judge(history, request);
  const bool wants_proof = options.needs_order && has(verdict, Validity::kInvalid);
  if (has(verdict, Validity::kUnknown) || wants_proof) {
    verdict = judge_transactions(history, options, request, std::move(verdict).value());
  }
  if (has(verdict, Validity::kUnknown) && request.work < work) {
    request.work_before = std::exchange(request.work, work);
    Result<Verdict> again = row.judge(history, request);
    const bool tells_less = has(again, Validity::kUnknown) && !request.is_spent();
    return tells_less ? std::move(verdict) : std::move(again);
  }
  return verdict;
}

Result<Verdict> judge(const WorkloadRow& row, const History& history, const CheckOptions& options) {
  const WorkThreads threads(options.threads);
  const JudgeRequest request = request_of(options);
  Result<Verdict> verdict = may_become_transactions(history, options)
                                ? judge_in_turn(row, history, options, request)
                                : row.judge(history, request);
  if (verdict && row.general && !request.elle_compat) {
    Result<Verdict> general = general_verdict(*row.general, history, options);
    ELAPID_RETURN_IF_ERROR(general);
    if (row.general->follows && verdict.value().validity == Validity::kInvalid) {
      general.value().validity = Validity::kInvalid;
      general.value().unknown_because.reset();
    }
    verdict.value().entries.push_back(general_entry(*row.general, general.value()));
    if (options.claims_in_general && row.infer != nullptr &&
        verdict.value().validity != Validity::kInvalid &&
        general.value().validity == Validity::kInvalid) {
      general.value().entries = std::move(verdict.value().entries);
      return general;
    }
    if (verdict.value().validity == Validity::kValid &&
        general.value().validity == Validity::kInvalid) {
      verdict.value().warnings.push_back(
          "the operations are not " + std::string(friendly_name(row.general->model)) +
          ", which workload " + std::string(row.workload.name()) + " does not ask for");
    }
  }
  return verdict;
}

/// Whether only sequential consistency is asked of operations that are also transactions, and no
/// option tells more about them. Then the order of a session is that of its transactions.
bool may_ask_transactions(const WorkloadRow& row, const History& history,
                          const CheckOptions& options) {
  return row.infer != nullptr && options.models == ModelSet{Model::kSequential} &&
         history.txn_count() > 0 && !has_witnesses(history, options.failed_cas) &&
         !options.assumptions.elle_compat && !has_odd_nil(history);
}

/// Operations on registers as transactions.
Result<Verdict> check_as_transactions(const WorkloadRow& row, const History& history,
                                      const CheckOptions& options) {
  if (row.judge == nullptr || options.assumptions.elle_compat) {
    return check_transactions(history, options);
  }
  ModelSet of_operations = row.models;
  if (is_strict_apart(row, history, options.failed_cas)) {
    of_operations.reset(Model::kPlSs);
  }
  return of_operations.any() && must_ask_apart(history, options)
             ? check_apart(history, options, of_operations)
             : check_transactions(history, options);
}

/// Single operations that are sequentially consistent, on objects each of which is linearizable,
/// are linearizable. Requires refusal() == nullopt: then they are no transactions.
bool is_question_of_real_time(const CheckOptions& options) {
  return options.assumptions.linearizable_keys && !options.assumptions.elle_compat &&
         options.models == ModelSet{Model::kSequential};
}

/// Whether the options assume something that has no part in the answer.
bool assumes_needlessly(const WorkloadRow& row, const CheckOptions& options) {
  return has_own_rules(row, options) && row.infer == nullptr &&
         options.assumptions.order_something() && !options.assumptions.elle_compat;
}

/// Users choose engines, and assume something of keys, for transactions that they ask about.
Result<Verdict> check_by_own_rules(const WorkloadRow& row, const History& history,
                                   CheckOptions options) {
  const std::string workload = "workload " + std::string(row.workload.name());
  std::vector<std::string> warnings;
  if (std::exchange(options.engine, Engine::kAuto) != Engine::kAuto) {
    warnings.push_back("the engine asked for, and its options, have no effect: " + workload +
                       " has an engine of its own");
  }
  if (assumes_needlessly(row, options)) {
    options.assumptions = {};
    warnings.push_back("assumptions about keys or the order of transactions have no effect: " +
                       workload + " is judged by its own rules");
  }
  Result<Verdict> verdict = check(history, options);
  if (verdict && !options.assumptions.elle_compat) {
    std::ranges::move(warnings, std::back_inserter(verdict.value().warnings));
  }
  return verdict;
}

/// The answer of the engines of transactions, unless it is unknown.
Result<Verdict> with_transactions(Result<Verdict> judged, const History& history,
                                  const CheckOptions& options) {
  Result<Verdict> verdict = check_transactions(history, options);
  if (!verdict || verdict.value().validity == Validity::kUnknown) {
    return verdict ? std::move(judged) : std::move(verdict);
  }
  if (linearize::lacks_invocations(history)) {
    verdict.value().also_not_models.reset(Model::kLinearizable);
  }
  return verdict;
}

}  // namespace

Result<Verdict> check(const History& history, const CheckOptions& options) {
  if (options.by_transaction) {
    return check_by_transaction(history, options);
  }
  if (std::optional<Error> refused = refusal(history, options)) {
    return *std::move(refused);
  }
  if (history.workload() == Workload::kRows && !options.assumptions.elle_compat) {
    try {
      return check_rows(history, options);
    } catch (const std::bad_alloc&) {
      return verdict_out_of_memory(options, "replay", "carrying transactions out");
    }
  }
  const WorkloadRow& row = row_of(history.workload());
  if (is_judged(row, options) &&
      (options.engine != Engine::kAuto || assumes_needlessly(row, options))) {
    return check_by_own_rules(row, history, options);
  }
  const bool is_strict = options.models.test(Model::kPlSs) && !options.assumptions.elle_compat &&
                         is_strict_apart(row, history, options.failed_cas);
  if (!is_judged(row, options) || is_strict) {
    return check_as_transactions(row, history, options);
  }
  if (options.models.count() > 1 && !options.assumptions.elle_compat &&
      linearize::lacks_invocations(history)) {
    return check_each(history, options);
  }
  if (is_question_of_real_time(options)) {
    CheckOptions in_real_time = options;
    in_real_time.models = ModelSet{Model::kLinearizable};
    return check(history, in_real_time);
  }
  try {
    Result<Verdict> verdict = judge(row, history, options);
    const bool is_open = verdict && (verdict.value().validity == Validity::kUnknown ||
                                     !history.info().has_real_time);
    return is_open && may_ask_transactions(row, history, options)
               ? with_transactions(std::move(verdict), history, options)
               : std::move(verdict);
  } catch (const std::bad_alloc&) {
    return verdict_out_of_memory(options, std::string(row.workload.name()),
                                 "judging the operations");
  }
}

}  // namespace elapid
