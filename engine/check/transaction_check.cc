#include "engine/check/transaction_check.h"

#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/certification.h"
#include "engine/check/engines.h"
#include "engine/check/question.h"
#include "engine/check/realtime_order.h"
#include "engine/check/verdict_of.h"
#include "engine/check/work.h"
#include "engine/ir/share_work.h"

namespace elapid {

namespace {

Error interrupted() {
  return usage_error("interrupted");
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
    const bool is_about_nothing = history_.txn_count() == 0 || !is_left_to_saturation_;
    if (!question.is_for_elle && is_about_nothing && !has_committed(history_)) {
      return verdict_of_nothing(history_, options_, question, engine_at_work_);
    }
    if (real_time_may_settle(history_, options_) &&
        work_.progress("trying an order in real time")) {
      // A spent budget ends the attempt alone: the engines behind ask for themselves.
      const auto keep_going = [this] {
        return work_.progress(work_.stage()) && !work_.is_out_of_time();
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
  /// violated and something is; or whether its own proof is wanted.
  [[nodiscard]] bool needs_cycles(const Question& question,
                                  const std::vector<Answer>& answers) const {
    const AnomalySet found = types_of(answers.front().anomalies);
    const bool is_violated = (found & question.prohibited).any() && !question.each_asked;
    const ModelSet open = question.demanded & ~answers.back().known.decided();
    return options_.engine == Engine::kAuto && answers.front().is_understood &&
           (options_.needs_order || (!is_violated && open.any()));
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

}  // namespace

Result<Verdict> check_transactions(const History& history, const CheckOptions& options) {
  return Check(history, options).run();
}

}  // namespace elapid
