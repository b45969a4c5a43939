#include "engine/check/operation_levels.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include "engine/check/transaction_check.h"
#include "engine/levels/ladder.h"
#include "engine/linearize/object_verdict.h"
#include "engine/verdict/join.h"

namespace elapid {

namespace {

constexpr const char* kWitnessesUnknown =
    "the engines of transactions do not know what a failed compare-and-set shows";
constexpr const char* kNilUnknown =
    "a compare-and-set that expects nil did not return, or a read of nil completed where registers "
    "begin with another value: the engines of transactions cannot decide what such a nil means";

/// The answer about one level of operations, without others.
Result<Verdict> check_alone(const History& history, CheckOptions options, Model model) {
  options.models = ModelSet{model};
  options.anomalies = {};
  options.each_model = false;
  return check(history, options);
}

/// The answer of the engines of transactions. Where a nil is odd, all is open to them.
Result<Verdict> check_others(const History& history, const CheckOptions& options) {
  if (!has_odd_nil(history)) {
    return check_transactions(history, options);
  }
  Verdict verdict = {.validity = Validity::kUnknown,
                     .checked = options.models,
                     .unknown_because = kNilUnknown,
                     .assumptions = options.assumptions};
  for (const Model model : options.each_model ? options.models : ModelSet()) {
    verdict.ladder.push_back({model, Validity::kUnknown, kNilUnknown});
  }
  return verdict;
}

void leave_valid_open(Verdict& verdict) {
  std::erase_if(verdict.levels,
                [](const LevelAnswer& level) { return level.validity == Validity::kValid; });
  for (Standing& standing : verdict.ladder) {
    if (standing.validity == Validity::kValid) {
      standing = {standing.model, Validity::kUnknown, kWitnessesUnknown};
    }
  }
  if (verdict.validity == Validity::kValid) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because = kWitnessesUnknown;
  }
}

}  // namespace

bool has_witnesses(const History& history, FailedCas failed_cas) {
  const bool do_show = failed_cas == FailedCas::kWitness ||
                       (failed_cas == FailedCas::kUnsaid && history.info().failed_cas_shows);
  const auto is_failed_cas = [&](std::uint32_t txn) {
    return history.status(TxnId{txn}) == TxnStatus::kAborted && history.ops(TxnId{txn}).size() > 1;
  };
  return do_show && history.workload() == Workload::kCasRegister &&
         std::ranges::any_of(std::views::iota(0U, history.txn_count()), is_failed_cas);
}

bool has_odd_nil(const History& history) {
  if (history.workload() != Workload::kCasRegister) {
    return false;
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const auto ops = history.ops(txn);
    const bool begins_with_nil = !ops.empty() && ops[0].is_read() && ops[0].value().is_nil();
    const bool is_odd = history.status(txn) == TxnStatus::kIndeterminate
                            ? ops.size() > 1
                            : !history.info().initial.is_nil();
    if (begins_with_nil && is_odd && history.status(txn) != TxnStatus::kAborted) {
      return true;
    }
  }
  return false;
}

bool transactions_refute(const History& history, Model model, const Assumptions& assumptions) {
  const bool keeps_processes =
      model == Model::kPlSs || (model == Model::kSequential && !assumptions.linearizable_keys);
  return !has_odd_nil(history) && (keeps_processes || !linearize::lacks_invocations(history));
}

bool is_strict_apart(const WorkloadRow& row, const History& history, FailedCas failed_cas) {
  return row.infer != nullptr && row.models.test(Model::kPlSs) &&
         linearize::lacks_invocations(history) && !has_odd_nil(history) &&
         !has_witnesses(history, failed_cas);
}

bool must_ask_apart(const History& history, const CheckOptions& options) {
  return has_witnesses(history, options.failed_cas) || has_odd_nil(history) ||
         linearize::lacks_invocations(history);
}

Result<Verdict> check_each(const History& history, CheckOptions options) {
  options.assumptions.linearizable_keys = false;
  std::optional<Verdict> all;
  for (const Model model : options.models) {
    ELAPID_ASSIGN_OR_RETURN(Verdict verdict, check_alone(history, options, model));
    all = all ? joined(*std::move(all), std::move(verdict)) : std::move(verdict);
  }
  return *std::move(all);
}

Result<Verdict> check_apart(const History& history, const CheckOptions& options,
                            ModelSet of_operations) {
  CheckOptions rest = options;
  rest.models = options.models & ~of_operations;
  ELAPID_ASSIGN_OR_RETURN(Verdict verdict, check_others(history, rest));
  // A failed compare-and-set may show that a level is violated. All hold if the operations are
  // linearizable and each has an invocation.
  const bool do_lack_invocations = linearize::lacks_invocations(history);
  const bool may_show = has_witnesses(history, options.failed_cas);
  std::optional<Verdict> linearizable;
  if (may_show && !do_lack_invocations) {
    ELAPID_ASSIGN_OR_RETURN(linearizable, check_alone(history, options, Model::kLinearizable));
  }
  if (may_show && (!linearizable || linearizable->validity != Validity::kValid)) {
    leave_valid_open(verdict);
  }
  if (may_show) {
    for (LevelAnswer& level : verdict.levels) {
      level.witness.reset();  // it has no place for failed operations
    }
  }
  if (do_lack_invocations) {
    verdict.not_models.reset(Model::kLinearizable);
    verdict.also_not_models.reset(Model::kLinearizable);
  }
  verdict.checked = options.models;
  for (const Model model : options.models& of_operations) {
    Result<Verdict> part = model == Model::kLinearizable && linearizable
                               ? *linearizable
                               : check_alone(history, options, model);
    ELAPID_RETURN_IF_ERROR(part);
    if (options.each_model) {
      part.value().ladder = {
          {model, part.value().validity, part.value().unknown_because.value_or("")}};
    }
    verdict = joined(std::move(verdict), std::move(part).value());
  }
  return verdict;
}

}  // namespace elapid
