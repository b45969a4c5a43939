#include "engine/check/check.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "engine/check/certification.h"
#include "engine/check/elle_check.h"
#include "engine/check/inference_answer.h"
#include "engine/check/order_check.h"
#include "engine/check/question.h"
#include "engine/check/timestamp_check.h"
#include "engine/check/unknown_reasons.h"
#include "engine/check/verdict_of.h"
#include "engine/check/work.h"
#include "engine/levels/ladder.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

Error interrupted() {
  return usage_error("interrupted");
}

/// What is left to say.
Verdict out_of_memory(const CheckOptions& options, std::string engine, std::string_view stage) {
  return {.validity = Validity::kUnknown,
          .checked = options.models,
          .unknown_because = "memory ran out while " + std::string(stage) +
                             ": the system gave no more, and no " +
                             std::string(options.words.memory) + " was reached before",
          .engine = std::move(engine),
          .assumptions = options.assumptions};
}

bool nothing_committed(const History& history) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      return false;
    }
  }
  return true;
}

/// Of transactions that nobody is known to have committed there is no order to find and no
/// violation. But levels of registers that only ask what was visible hold: none of it was.
Verdict verdict_of_nothing(const History& history, const CheckOptions& options) {
  Verdict verdict = {.checked = options.models, .assumptions = options.assumptions};
  const ModelSet holding = history.txn_count() > 0 && has_only_registers(history)
                               ? entailed(models_of_visibility()) & options.models
                               : ModelSet();
  for (const Model model : holding.filter(has_engine)) {
    verdict.levels.push_back({model, Validity::kValid, Witness{}, {}, {}});
  }
  verdict.complete = options.models.any() && holding == options.models;
  if (verdict.complete) {
    return verdict;
  }
  verdict.anomalies.push_back({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}});
  verdict.validity = Validity::kUnknown;
  verdict.unknown_because = std::string(kNothingToCheck);
  if (options.each_model && history.txn_count() > 0) {
    KnownModels known;
    known.prove(holding);
    std::vector<std::pair<Model, std::string>> undecided;
    for (const Model model : ModelSet::all()) {
      undecided.emplace_back(model, *verdict.unknown_because);
    }
    verdict.ladder = ladder_of(options.models, known, undecided);
  }
  return verdict;
}

/// Asks the engines in turn: the inference, which is quick, then an order of events for what it
/// leaves open, then both about all models, which may settle those that are open still.
class Check {
 public:
  Check(const History& history, const CheckOptions& options)
      : history_(history), options_(options), work_(options) {}

  Result<Verdict> run() {
    try {
      return begin();
    } catch (const std::bad_alloc&) {
      return out_of_memory(options_, engine_at_work_, work_.stage());
    }
  }

 private:
  Result<Verdict> begin() {
    if (const auto refusal = refuse_unchecked(options_)) {
      return *refusal;
    }
    if (options_.assumptions.linearizable_keys && !history_.info().has_real_time) {
      return needs_real_time(options_);
    }
    is_left_to_saturation_ = needs_no_inference(history_, options_);
    if (nothing_committed(history_) && (history_.txn_count() == 0 || !is_left_to_saturation_)) {
      return verdict_of_nothing(history_, options_);
    }
    return answer(question_of(history_, options_));
  }

  Result<Verdict> answer(const Question& question) {
    InferenceAnswer inference = is_left_to_saturation_
                                    ? InferenceAnswer()
                                    : answer_by_inference(history_, options_, question, work_);
    const bool is_understood = inference.is_understood;
    std::optional<OrderFindings> orders;
    const bool may_search = question.demands_only(has_engine) || !question.may_widen;
    if (!work_.was_stopped() && is_understood && may_search && needs_orders(question, inference) &&
        work_.has_budget()) {
      orders = search_orders(question, inference.known);
    }
    if (work_.was_stopped()) {
      return interrupted();
    }
    VerdictOf result(history_, options_, question, std::move(inference), std::move(orders));
    const bool is_settled = result.is_violated() || !result.is_open();
    if (is_understood && question.may_widen && !is_settled && work_.has_budget()) {
      return answer(widened(history_, options_));
    }
    if (question.each_asked && result.is_open()) {
      work_.has_budget();  // or else some level has not had its turn
    }
    Verdict verdict = result.take(work_.spent_budget());
    return certified(std::move(verdict), result.known());
  }

  /// Whether the inference has left something open that an order of events decides. What a single
  /// read shows needs no search of all orders.
  [[nodiscard]] bool needs_orders(const Question& question,
                                  const InferenceAnswer& inference) const {
    const bool is_violated = (types_of(inference.anomalies) & question.prohibited).any();
    if (options_.engine == Engine::kSearch && is_violated && !options_.each_model) {
      return false;
    }
    const bool leaves_open =
        question.each_asked ||
        (!is_violated && (!inference.is_total || !question.demands_only(is_inferred)));
    return question.wants_order_engine || options_.needs_order ||
           (options_.engine == Engine::kAuto && leaves_open);
  }

  [[nodiscard]] OrderFindings search_orders(const Question& question, const KnownModels& known) {
    const auto keep_going = [this] { return work_.progress("searching for an order"); };
    const auto is_saturated = [](Model model) {
      const auto level = order_level(model);
      return level && is_saturable(level->visibility);
    };
    engine_at_work_ = options_.engine == Engine::kSearch    ? "search"
                      : question.demands_only(is_saturated) ? "saturation"
                                                            : "solver";
    return question.each_asked ? check_each_order(history_, options_, question.asked,
                                                  question.asked, known, keep_going)
                               : check_orders(history_, options_, keep_going);
  }

  /// The verdict, once its evidence was checked again.
  Result<Verdict> certified(Verdict verdict, const KnownModels& known) {
    if (!options_.certify) {
      return verdict;
    }
    if (!work_.progress("certifying evidence")) {
      return interrupted();
    }
    if (auto error = certify_verdict(history_, options_, known, verdict)) {
      return *error;
    }
    return verdict;
  }

  const History& history_;
  const CheckOptions& options_;
  Work work_;
  bool is_left_to_saturation_ = false;  // needs_no_inference
  std::string engine_at_work_ = "elle";
};

Result<Verdict> check_by_timestamps_alone(const History& history, const CheckOptions& options) {
  try {
    return check_by_timestamps(history, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(options, "timestamps", "comparing with timestamps");
  }
}

/// Of workloads without levels there is one question.
Result<Verdict> judged(const WorkloadRow& row, const History& history,
                       const CheckOptions& options) {
  const bool asks_more = options.models.any() || options.anomalies.any();
  if (asks_more && !options.assumptions.elle_compat) {
    return usage_error("workload " + std::string(row.workload.name()) +
                       " has no isolation levels or anomalies to ask for");
  }
  return row.judge(history, options.assumptions.elle_compat);
}

Result<Verdict> check_as_elle_alone(const History& history, const CheckOptions& options) {
  try {
    return check_as_elle(history, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(options, "elle", "answering as Elle");
  }
}

/// What is left of a verdict by timestamps when the solver has decided the levels without them.
void believe(const Verdict& without, Verdict& verdict) {
  verdict.cross_check = without.validity;
  if (without.validity == Validity::kValid) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because =
        "the timestamps are wrong, and the levels hold: some other order satisfies them";
    verdict.not_models = {};
    verdict.also_not_models = {};
  } else if (without.validity == Validity::kInvalid && verdict.validity == Validity::kUnknown) {
    verdict.validity = Validity::kInvalid;  // no error of clocks explains it
    verdict.complete = true;
    verdict.unknown_because.reset();
    verdict.anomalies = without.anomalies;
    verdict.levels = without.levels;
    verdict.not_models = without.not_models;
    verdict.also_not_models = without.also_not_models;
  }
}

/// Where the timestamps are violated, the solver tells whether that is the fault of the clocks
/// alone.
Result<Verdict> check_with_timestamps(const History& history, const CheckOptions& options) {
  Result<Verdict> verdict = check_by_timestamps_alone(history, options);
  const bool is_violated =
      verdict &&
      (verdict.value().validity == Validity::kInvalid ||
       (verdict.value().timestamps && verdict.value().timestamps->within_clock_skew > 0));
  if (!options.cross_check || !is_violated) {
    return verdict;
  }
  CheckOptions again = options;
  again.engine = Engine::kSolver;
  const Result<Verdict> without = Check(history, again).run();
  if (!without) {
    return without.error();
  }
  believe(without.value(), verdict.value());
  return verdict;
}

}  // namespace

Result<Verdict> check(const History& history, const CheckOptions& options) {
  const WorkloadRow& row = row_of(history.workload());
  if (row.judge != nullptr) {
    return judged(row, history, options);
  }
  if (options.engine == Engine::kTimestamps) {
    return check_with_timestamps(history, options);
  }
  return options.assumptions.elle_compat ? check_as_elle_alone(history, options)
                                         : Check(history, options).run();
}

}  // namespace elapid
