#include "engine/check/mixed_check.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/orders/mixed_order.h"
#include "engine/certify/proofs/mixed_proof.h"
#include "engine/check/completion_order.h"
#include "engine/check/minimal_mix.h"
#include "engine/check/mix_inference.h"
#include "engine/check/question.h"
#include "engine/check/rows_check.h"
#include "engine/check/verdict_of.h"
#include "engine/check/work.h"
#include "engine/levels/asked_levels.h"
#include "engine/levels/ladder.h"
#include "engine/levels/mix_bounds.h"
#include "engine/solve/cycle_steps.h"
#include "engine/solve/solve.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

std::optional<Error> refuse_mix(const History& history, const CheckOptions& options) {
  if (options.assumptions.elle_compat) {
    return usage_error("Elle knows no levels by transaction");
  }
  const bool is_rows = history.workload() == Workload::kRows;
  if (!history.workload().has_levels() ||
      (!is_rows && row_of(history.workload()).infer == nullptr)) {
    return usage_error("workload " + std::string(history.workload().name()) +
                       " has no levels by transaction");
  }
  if (options.anomalies.any() || options.each_model) {
    return usage_error("levels by transaction exclude anomalies and a ladder of levels");
  }
  if (is_rows && options.needs_order) {
    return usage_error("histories of rows have no certificates of levels by transaction");
  }
  if (options.engine != Engine::kAuto && options.engine != Engine::kSolver && !is_rows) {
    return usage_error("levels by transaction are decided by the solver alone");
  }
  return std::nullopt;
}

std::vector<std::pair<Model, std::uint64_t>> counts_of(const History& history,
                                                       const std::vector<Model>& models) {
  std::map<Model, std::uint64_t> counts;
  for (TxnId txn{0}; txn.index() < models.size(); ++txn.value) {
    counts[models[txn.index()]] += history.status(txn) != TxnStatus::kAborted ? 1U : 0U;
  }
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  return {counts.begin(), counts.end()};
}

ModelSet models_of(const std::vector<std::pair<Model, std::uint64_t>>& counts) {
  ModelSet models;
  for (const auto& [model, count] : counts) {
    models.set(model);
  }
  return models;
}

class MixedCheck {
 public:
  MixedCheck(const History& history, const CheckOptions& options, AskedLevels asked)
      : history_(history), options_(options), asked_(std::move(asked)), work_(options) {
    verdict_.engine = "solver";
    verdict_.assumptions = options.assumptions;
    verdict_.mix = MixAnswer{.counts = counts_of(history, asked_.models)};
    verdict_.checked = models_of(verdict_.mix->counts);
  }

  /// Nothing if the order of completions does not satisfy all levels.
  std::optional<Verdict> run_draft() {
    if (!history_.info().has_real_time || options_.assumptions.order_something() ||
        !work_.progress("trying the order of completions")) {
      return std::nullopt;
    }
    Witness draft = completion_order(history_, asked_.levels);
    if (check_mixed_order(history_, asked_.levels, draft, options_.has_budget)) {
      return std::nullopt;
    }
    verdict_.complete = true;
    verdict_.mix->witness = std::move(draft);
    return std::move(verdict_);
  }

  /// Nothing if the inferred dependencies do not decide.
  std::optional<Result<Verdict>> run_inference() {
    if (!work_.progress("inferring dependencies")) {
      return std::nullopt;
    }
    const MixInference inferred = infer_mix(history_, asked_.levels, options_.assumptions, [this] {
      return work_.progress(work_.stage()) && work_.has_budget();
    });
    Verdict verdict = verdict_;
    verdict.engine = "elle";
    verdict.complete = true;
    if (inferred.holds && !options_.needs_order) {
      return verdict;
    }
    if (!inferred.refutation) {
      return std::nullopt;
    }
    Result<Verdict> invalid = refuted(std::move(verdict), *inferred.refutation);
    const bool is_flawed = !invalid && invalid.error().kind == ErrorKind::kInternal;
    return is_flawed ? std::nullopt : std::optional(std::move(invalid));
  }

  Result<Verdict> run() {
    if (!work_.progress("searching for an order")) {
      return usage_error("interrupted");
    }
    SolveResult result = solve_mixed(history_, asked_.levels,
                                     {.assumptions = options_.assumptions,
                                      .work = options_.budget.solver_work,
                                      .threads = options_.threads,
                                      .reachability = options_.budget.reachability,
                                      .keep_going = [this] { return !work_.is_out_of_time(); }});
    if (result.refutation) {
      return refuted(verdict_, *result.refutation);
    }
    verdict_.validity = result.validity;
    verdict_.complete = result.validity != Validity::kUnknown;
    if (result.validity == Validity::kUnknown) {
      verdict_.unknown_because = std::move(result.unknown_because);
      if (result.is_out_of_budget) {
        *verdict_.unknown_because += " (" + work_.reached() + ")";
      }
    }
    verdict_.mix->witness = std::move(result.witness);
    verdict_.anomalies = std::move(result.anomalies);
    std::ranges::stable_sort(verdict_.anomalies, {}, &Anomaly::type);
    return certified(verdict_);
  }

 private:
  [[nodiscard]] MixEvidence evidence_of(const Refutation& refutation) const {
    MixEvidence evidence = {.proof = refutation};
    std::set<TxnId> readers;
    for (const ProofStep& step : refutation.steps) {
      evidence.because.push_back({step.clause, steps_of(history_, step.cycle)});
      for (const OrderEdge& edge : step.cycle) {
        readers.insert({edge.from, edge.to});
      }
    }
    for (const TxnId txn : readers) {
      evidence.levels.emplace_back(txn, asked_.models[txn.index()]);
    }
    return evidence;
  }

  [[nodiscard]] Verdict verdict_by(Verdict verdict, const Refutation& refutation) const {
    verdict.validity = Validity::kInvalid;
    verdict.complete = true;
    verdict.anomalies = {{AnomalyType::kMixedLevels, evidence_of(refutation)}};
    verdict.mix->refutation = refutation;
    return verdict;
  }

  /// Shows the smallest proof that is found. kInternal if no proof survives certification.
  Result<Verdict> refuted(Verdict begun, const Refutation& refutation) {
    std::vector<Refutation> proofs;
    if (options_.minimal_proofs) {
      proofs.push_back(minimal_in_mix(history_, asked_.levels, refutation,
                                      [this] { return !work_.is_out_of_time(); }));
    }
    proofs.push_back(refutation);
    Result<Verdict> verdict = flawed("there is no proof");
    for (const Refutation& proof : proofs) {
      const auto flaw =
          options_.certify ? std::nullopt : check_mixed_proof(history_, asked_.levels, proof);
      verdict = flaw ? flawed(*flaw) : certified(verdict_by(begun, proof));
      if (verdict || verdict.error().kind != ErrorKind::kInternal) {
        break;
      }
    }
    return verdict;
  }

  static Error flawed(const std::string& flaw) {
    return {.kind = ErrorKind::kInternal,
            .message = "evidence did not survive certification: " + flaw};
  }

  /// Adds the levels that are ruled out, and certifies the evidence.
  Result<Verdict> certified(Verdict verdict) {
    if (verdict.validity == Validity::kInvalid) {
      const ModelSet above = above_mix(verdict.checked, history_.workload());
      verdict.not_models = weakest_of(above);
      verdict.also_not_models = above & ~verdict.not_models;
    }
    if (!options_.certify) {
      return verdict;
    }
    if (!work_.progress("certifying evidence")) {
      return usage_error("interrupted");
    }
    bool was_stopped = false;
    const std::function<bool()> keep_going = [&] {
      was_stopped = was_stopped || (options_.may_certify && !options_.may_certify());
      return !was_stopped;
    };
    std::optional<std::string> flaw;
    if (verdict.validity == Validity::kValid) {
      flaw = check_mixed_order(history_, asked_.levels, *verdict.mix->witness, keep_going);
    }
    const Certifier certifier(history_, options_.assumptions, history_.has_lists());
    for (const CertifyFailure& failure : certifier.certify(verdict.anomalies, keep_going)) {
      flaw = failure.reason;
    }
    if (was_stopped) {
      return verdict_uncertified(options_, verdict.engine);
    }
    if (flaw) {
      return flawed(*flaw);
    }
    return verdict;
  }

  const History& history_;
  const CheckOptions& options_;
  AskedLevels asked_;
  Work work_;
  Verdict verdict_;
};

/// For rows two bounds are known. If what all levels imply is violated, so is the mix. If one level
/// that implies all of them holds for all transactions, the mix holds. Between the bounds no engine
/// decides.
Result<Verdict> check_rows_between(const History& history, const CheckOptions& uniform,
                                   const std::vector<std::pair<Model, std::uint64_t>>& counts) {
  const ModelSet asked = models_of(counts);
  const ModelSet weakest = below_mix(asked, history.workload()).filter(is_decided_for_rows);
  const ModelSet strongest = above_mix(asked, history.workload()).filter(is_decided_for_rows);
  CheckOptions options = uniform;
  options.models = strongest_of(weakest);
  Result<Verdict> verdict = check(history, options);
  if (verdict && verdict.value().validity == Validity::kValid) {
    options.models = weakest_of(strongest);
    verdict = check(history, options);
    if (verdict && verdict.value().validity == Validity::kInvalid) {
      verdict = Verdict{
          .validity = Validity::kUnknown,
          .unknown_because =
              "for rows, levels by transaction are decided only by one level for all transactions: "
              "the strongest that is asked for does not hold, and the weakest is not violated",
          .engine = verdict.value().engine,
          .assumptions = uniform.assumptions};
    }
  }
  if (verdict) {
    verdict.value().mix = MixAnswer{.counts = counts};
    verdict.value().checked = asked;
  }
  return verdict;
}

}  // namespace

Result<Verdict> check_by_transaction(const History& history, const CheckOptions& options) {
  if (auto refused = refuse_mix(history, options)) {
    return *std::move(refused);
  }
  CheckOptions uniform = options;
  uniform.by_transaction = false;
  uniform.models = {};
  if (history.txn_count() == 0) {
    return check(history, uniform);
  }
  Result<AskedLevels> asked = asked_levels(history);
  ELAPID_RETURN_IF_ERROR(asked);
  const auto counts = counts_of(history, asked.value().models);
  if (counts.size() <= 1) {
    uniform.models = ModelSet{counts.empty() ? Model::kPl2 : counts.front().first};
    Result<Verdict> verdict = check(history, uniform);
    if (verdict) {
      verdict.value().mix = MixAnswer{.counts = counts};
    }
    return verdict;
  }
  if (history.workload() == Workload::kRows) {
    return check_rows_between(history, uniform, counts);
  }
  if (certify::has_foreign_operations(history)) {
    return Verdict{.validity = Validity::kUnknown,
                   .unknown_because = certify::kOtherWorkload,
                   .assumptions = options.assumptions,
                   .mix = MixAnswer{.counts = counts}};
  }
  uniform.models = models_of(counts);
  if (!has_committed(history) && !needs_no_inference(history, uniform)) {
    Verdict verdict = verdict_of_nothing(history, uniform, question_of(history, uniform), "solver");
    verdict.mix = MixAnswer{.counts = counts};
    return verdict;
  }
  try {
    MixedCheck check(history, options, asked.value());
    if (auto verdict = check.run_draft()) {
      return *std::move(verdict);
    }
    if (auto verdict = check.run_inference()) {
      return *std::move(verdict);
    }
    return check.run();
  } catch (const std::bad_alloc&) {
    return verdict_out_of_memory(options, "solver", "searching for an order");
  }
}

}  // namespace elapid
