#include "engine/check/check.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "engine/check/certification.h"
#include "engine/check/cycle_answer.h"
#include "engine/check/elle_answer.h"
#include "engine/check/inference_answer.h"
#include "engine/check/mixed_check.h"
#include "engine/check/object_transactions.h"
#include "engine/check/order_answer.h"
#include "engine/check/question.h"
#include "engine/check/realtime_order.h"
#include "engine/check/refusal.h"
#include "engine/check/rows_check.h"
#include "engine/check/timestamp_answer.h"
#include "engine/check/verdict_of.h"
#include "engine/check/work.h"
#include "engine/ir/share_work.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

Error interrupted() {
  return usage_error("interrupted");
}

bool nothing_committed(const History& history) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      return false;
    }
  }
  return true;
}

/// Asks the engines in turn and derives the verdict from their answers.
class Check {
 public:
  Check(const History& history, const CheckOptions& options)
      : history_(history), options_(options), work_(options) {}

  Result<Verdict> run() {
    const WorkThreads threads(options_.threads);
    try {
      return begin();
    } catch (const std::bad_alloc&) {
      return verdict_out_of_memory(options_, engine_at_work_, work_.stage());
    }
  }

 private:
  Result<Verdict> begin() {
    const bool believes_timestamps = options_.engine == Engine::kTimestamps;
    engine_at_work_ = believes_timestamps ? "timestamps" : "elle";
    const Question question = question_of(history_, options_);
    is_left_to_saturation_ = !question.is_for_elle && needs_no_inference(history_, options_);
    if (!question.is_for_elle && nothing_committed(history_)) {
      return verdict_of_nothing(history_, options_, question, engine_at_work_);
    }
    if (real_time_may_settle(history_, options_) &&
        work_.progress("trying an order in real time")) {
      // A spent budget ends the attempt alone: the engines behind ask for themselves.
      const auto keep_going = [this] {
        return work_.progress(work_.stage()) && (!options_.has_budget || options_.has_budget());
      };
      if (std::optional<Witness> order = order_in_real_time(history_, keep_going)) {
        return proven(question, *std::move(order));
      }
    }
    if (work_.was_stopped()) {
      return interrupted();
    }
    const bool may_follow = !is_left_to_saturation_ && !believes_timestamps;
    const auto above =
        may_follow ? visible_model_above(history_, options_) : std::optional<Model>();
    return above ? answer_from_above(question, *above) : answer(question);
  }

  /// The verdict by an order that keeps the strongest model in question.
  Result<Verdict> proven(const Question& question, Witness order) {
    // For lists nothing is chosen: what reads show gives the order, as in the inference.
    std::vector<Answer> answers = {{.engine = history_.has_lists() ? "elle" : "solver"}};
    answers.front().known.prove({Model::kPlSs});
    answers.front().levels.push_back({Model::kPlSs, Validity::kValid, std::move(order)});
    VerdictOf result(history_, options_, question, std::move(answers));
    return certified(result.take(work_.spent_budget()), result);
  }

  /// First asks the model `above`, which entails all demanded models.
  Result<Verdict> answer_from_above(const Question& question, Model above) {
    Question of_above = question;
    of_above.demanded = {above};
    engine_at_work_ = "saturation";
    Answer answer = answer_by_orders(history_, options_, of_above, {}, work_);
    if (work_.was_stopped()) {
      return interrupted();
    }
    if (!answer.known.proven().test(above)) {
      engine_at_work_ = "elle";
      return this->answer(question);
    }
    std::vector<Answer> answers(1);
    answers.front() = std::move(answer);
    VerdictOf result(history_, options_, question, std::move(answers));
    Verdict verdict = result.take(work_.spent_budget());
    return certified(std::move(verdict), result);
  }

  /// If the answers leave something open, asks once more about all models, which may settle it.
  Result<Verdict> answer(const Question& question) {
    std::vector<Answer> answers = ask(question);
    if (work_.was_stopped()) {
      return interrupted();
    }
    VerdictOf result(history_, options_, question, std::move(answers));
    const bool is_settled = result.is_violated() || !result.is_open();
    if (result.is_understood() && question.may_widen && !is_settled && work_.has_budget()) {
      return answer(widened(history_, options_));
    }
    if (question.each_asked && result.is_open()) {
      work_.has_budget();  // notes a spent budget: some level had no turn
    }
    Verdict verdict = result.take(work_.spent_budget());
    return certified(std::move(verdict), result);
  }

  std::vector<Answer> ask(const Question& question) {
    if (question.is_for_elle) {
      return {answer_as_elle(history_, options_, question, work_)};
    }
    return options_.engine == Engine::kTimestamps ? ask_timestamps(question)
                                                  : ask_in_turn(question);
  }

  /// The inference, which is quick, then an order of events for what it leaves open.
  std::vector<Answer> ask_in_turn(const Question& question) {
    std::vector<Answer> answers(1);
    Answer& inference = answers.front();
    if (!is_left_to_saturation_) {
      inference = answer_by_inference(history_, options_, question, work_);
    }
    const bool may_search = question.demands_only(has_engine) || !question.may_widen;
    if (!work_.was_stopped() && inference.is_understood && may_search &&
        needs_orders(question, inference) && work_.has_budget()) {
      engine_at_work_ = engine_of_orders(question);
      Answer orders = answer_by_orders(history_, options_, question, inference.known, work_);
      answers.push_back(std::move(orders));
    }
    if (!work_.was_stopped() && needs_cycles(question, answers) && work_.has_budget()) {
      engine_at_work_ = "cycles";
      Answer cycles = answer_by_cycles(history_, options_, question, answers.back().known, work_);
      answers.push_back(std::move(cycles));
    }
    return answers;
  }

  /// If timestamps are violated, a second answer without them tells whether only the clocks are
  /// wrong. The second answer may be missing, for example if memory runs out.
  std::vector<Answer> ask_timestamps(const Question& question) {
    Answer timed = answer_by_timestamps(history_, options_, question, work_);
    std::vector<Answer> answers;
    if (options_.cross_check && !timed.anomalies.empty() && !work_.was_stopped()) {
      try {
        answers = ask_in_turn(question);
      } catch (const std::bad_alloc&) {
        answers.assign(1, {});
      }
    }
    answers.push_back(std::move(timed));
    return answers;
  }

  /// Whether the inference has left something open that an order of events decides. What a single
  /// read shows needs no search of all orders.
  [[nodiscard]] bool needs_orders(const Question& question, const Answer& inference) const {
    const bool is_violated = (types_of(inference.anomalies) & question.prohibited).any();
    if (options_.engine == Engine::kSearch && is_violated && !question.wants_ladder) {
      return false;
    }
    const bool leaves_open =
        question.each_asked ||
        (!is_violated && (!inference.is_total || !question.demands_only(is_inferred)));
    const bool is_open = (question.asked & ~inference.known.proven()).any();
    return question.wants_order_engine || options_.needs_order ||
           (options_.engine == Engine::kAuto && leaves_open && is_open);
  }

  /// Whether a level that forbids cycles is open, unless it only matters whether anything is
  /// violated and something is.
  [[nodiscard]] bool needs_cycles(const Question& question,
                                  const std::vector<Answer>& answers) const {
    const AnomalySet found = types_of(answers.front().anomalies);
    const bool is_violated = (found & question.prohibited).any() && !question.each_asked;
    const ModelSet open = question.demanded & ~answers.back().known.decided();
    return options_.engine == Engine::kAuto && answers.front().is_understood && !is_violated &&
           open.any();
  }

  [[nodiscard]] std::string engine_of_orders(const Question& question) const {
    const auto is_saturated = [](Model model) {
      const auto level = order_level(model);
      return level && is_saturable(level->visibility);
    };
    return options_.engine == Engine::kSearch    ? "search"
           : question.demands_only(is_saturated) ? "saturation"
                                                 : "solver";
  }

  /// The verdict, once the evidence was checked again.
  Result<Verdict> certified(Verdict verdict, const VerdictOf& result) {
    if (!options_.certify) {
      return verdict;
    }
    if (!work_.progress("certifying evidence")) {
      return interrupted();
    }
    if (auto error =
            certify_verdict(history_, options_, result.known(), result.unshown(), verdict)) {
      return *error;
    }
    return verdict;
  }

  const History& history_;
  const CheckOptions& options_;
  Work work_;
  bool is_left_to_saturation_ = false;  // needs_no_inference
  std::string engine_at_work_;
};

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
    return Check(history, options).run();
  }
  const Result<History> transactions = claim.transactions(history, request);
  if (transactions) {
    return Check(transactions.value(), options).run();
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
/// engines of transactions, also for a proof that can be verified; then the search once more.
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
    request.work = work;
    verdict = row.judge(history, request);
  }
  return verdict;
}

Result<Verdict> judge(const WorkloadRow& row, const History& history, const CheckOptions& options) {
  const JudgeRequest request = request_of(options);
  Result<Verdict> verdict = may_become_transactions(history, options)
                                ? judge_in_turn(row, history, options, request)
                                : row.judge(history, request);
  if (verdict && row.general && !request.elle_compat) {
    Result<Verdict> general = general_verdict(*row.general, history, options);
    ELAPID_RETURN_IF_ERROR(general);
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

/// Whether the judge of registers and the transactions' engines understand a nil differently: as
/// what an indeterminate compare-and-set expects, which transactions do not know, or as what a read
/// shows of a register that never was nil, which tells the judge nothing.
bool has_odd_nil(const History& history) {
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

Verdict verdict_of_odd_nil(const CheckOptions& options) {
  return {.validity = Validity::kUnknown,
          .checked = options.models,
          .unknown_because =
              "a compare-and-set that expects nil did not return, or a read of nil "
              "completed where registers begin with another value: the engines of transactions "
              "cannot decide what such a nil means",
          .assumptions = options.assumptions};
}

/// Whether only sequential consistency is asked of operations that are also transactions, and no
/// option tells more about them. Then the order of a session is that of its transactions.
bool may_ask_transactions(const WorkloadRow& row, const History& history,
                          const CheckOptions& options) {
  const bool has_witnesses =
      options.failed_cas == FailedCas::kWitness ||
      (options.failed_cas == FailedCas::kUnsaid && history.info().failed_cas_shows);
  return row.infer != nullptr && options.models == ModelSet{Model::kSequential} &&
         history.txn_count() > 0 && !has_witnesses && !options.assumptions.elle_compat &&
         !has_odd_nil(history);
}

/// The answer of the engines of transactions, unless it is unknown.
Result<Verdict> with_transactions(Result<Verdict> judged, const History& history,
                                  const CheckOptions& options) {
  Result<Verdict> verdict = Check(history, options).run();
  return verdict && verdict.value().validity == Validity::kUnknown ? std::move(judged)
                                                                   : std::move(verdict);
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
  if (!is_judged(row, options)) {
    const bool is_open =
        row.judge != nullptr && !options.assumptions.elle_compat && has_odd_nil(history);
    return is_open ? verdict_of_odd_nil(options) : Check(history, options).run();
  }
  try {
    Result<Verdict> verdict = judge(row, history, options);
    const bool is_open = verdict && verdict.value().validity == Validity::kUnknown;
    return is_open && may_ask_transactions(row, history, options)
               ? with_transactions(std::move(verdict), history, options)
               : std::move(verdict);
  } catch (const std::bad_alloc&) {
    return verdict_out_of_memory(options, std::string(row.workload.name()),
                                 "judging the operations");
  }
}

}  // namespace elapid
